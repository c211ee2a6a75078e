export interface Children {
  readonly kind: string;
  readonly script: string;
}

const deaf = "trap '' TERM INT HUP; while :; do sleep 0.1; done";

export const childrenOfAllKinds: readonly Children[] = [
  { kind: "a child that holds its output", script: "sleep 300 &" },
  { kind: "a daemon", script: "setsid sh -c 'setsid sleep 300 < /dev/null > /dev/null 2>&1 & exit 0'" },
  { kind: "a child deaf to SIGTERM", script: `sh -c "${deaf}" &` },
  { kind: "a stopped child", script: "sh -c 'kill -STOP $$; sleep 300' &" },
  { kind: "a child in a session of its own", script: "setsid sleep 300 &" },
  { kind: "a grandchild", script: "sh -c 'sleep 300 & wait' &" },
  { kind: "a daemon deaf to SIGTERM", script: `setsid sh -c "${deaf}" > /dev/null 2>&1 &` },
  { kind: "a stopped daemon", script: "setsid sh -c 'kill -STOP $$; sleep 300' > /dev/null 2>&1 &" },
  { kind: "a child without its environment", script: "env -i sleep 300 &" },
  { kind: "a child forked twice", script: "(sh -c 'sleep 300 & exit 0' &)" },
  {
    kind: "twenty children and daemons",
    script: "for n in 1 2 3 4 5 6 7 8 9 10; do sleep 300 & setsid sleep 300 & done",
  },
];
