import { describe, expect, it } from "vitest";
import { endlessCommand } from "../../../src/markdown/lint/judge-command.ts";

describe("endlessCommand", () => {
  it.each([
    "npm start",
    "npm run dev",
    "npm run test:watch",
    "yarn dev --port 3000",
    "pnpm run serve",
    "npm test -- --watch",
    "vite",
    "vite preview",
    "npx vite --host",
    "vitest",
    "npx vitest src/a.test.ts",
    "pnpm exec vitest",
    "jest --watch",
    "npx jest a.test.js --watchAll",
    "nodemon server.js",
    "tsc -p . --watch",
    "tsc -w",
    "node --watch a.js",
    "docker compose up",
    "docker compose -f dev.yml up db",
    "docker-compose up",
    "tail -f log.txt",
    "tail -n 5 -F log.txt",
    "journalctl -u x -f",
    "docker logs --follow web",
    "python3 -m http.server 8000",
    "flask run",
    "uvicorn app:app",
    "poetry run uvicorn app:app",
    "next dev",
    "rails s",
    "bundle exec rails server",
    "ng serve",
    "php -S localhost:8000",
    "python manage.py runserver",
    "watch ls",
    "kubectl port-forward svc/x 80",
    "CI=1 npm start",
    "env PORT=1 npm start",
  ])("finds %j", (script) => {
    expect(endlessCommand(script)).toEqual(expect.any(String));
  });

  it("returns the endless one of several", () => {
    expect(endlessCommand("npm run build && npx vite | cat")).toBe("npx vite");
  });

  it.each([
    "npm test",
    "vitest run",
    "npx vitest --run",
    "npx vitest --watch=false",
    "vite build",
    "vite --version",
    "jest",
    "tsc --noEmit",
    "docker compose up -d",
    "docker compose up --detach --wait",
    "docker compose up --abort-on-container-exit",
    "tail -5 log.txt",
    "tail -f log.txt | head -3",
    "tail -f log.txt | grep -q ready",
    "timeout 10 npm start",
    "npm run starting",
    "npm start &",
    "for i in 1; do npm start; done",
    "sh -c 'npm start'",
    "",
  ])("finds nothing in %j", (script) => {
    expect(endlessCommand(script)).toBeNull();
  });
});
