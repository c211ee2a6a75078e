/** How many characters are held at most, which is more than any reply keeps. */
const held = 4 * 1024 * 1024;

/** A message that arrives in pieces. Only the end of a very long one is held. */
export interface MessageText {
  add(piece: string): void;
  /** The next piece begins another message. */
  end(): void;
  /** The message that came last; null before the first. */
  read(): string | null;
}

export function openMessage(): MessageText {
  let text: string | null = null;
  let ended = false;
  return {
    add: (piece) => {
      if (piece === "") return;
      text = ended ? piece : (text ?? "") + piece;
      ended = false;
      if (text.length > 2 * held) text = text.slice(-held);
    },
    end: () => {
      ended = true;
    },
    read: () => text,
  };
}
