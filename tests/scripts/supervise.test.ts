import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from '@rstest/core';

const module = JSON.stringify(pathToFileURL(resolve('scripts/supervise.mjs')).href);

/** Supervises a script whose first argument is a file with one line per start. */
function supervised(server: string): {
  readonly parent: ChildProcess;
  readonly starts: () => string[];
  readonly ended: Promise<{ code: number | null; output: string }>;
} {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-supervised-'));
  const log = join(folder, 'starts');
  writeFileSync(log, '');
  writeFileSync(
    join(folder, 'server.mjs'),
    `import { appendFileSync, readFileSync } from 'node:fs';\nimport { reportStarted } from ${module};\nconst log = process.argv[2];\nappendFileSync(log, process.pid + '\\n');\nconst count = readFileSync(log, 'utf8').split('\\n').length - 1;\n${server}`,
  );
  const script = `import { supervise } from ${module}; supervise(${JSON.stringify(join(folder, 'server.mjs'))}, [${JSON.stringify(log)}]);`;
  writeFileSync(join(folder, 'parent.mjs'), script);
  const parent = spawn(process.execPath, [join(folder, 'parent.mjs')], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [parent.stdout, parent.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<{ code: number | null; output: string }>((done) => parent.once('close', (code) => done({ code, output })));
  onTestFinished(async () => {
    parent.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  return { parent, ended, starts: () => readFileSync(log, 'utf8').split('\n').filter(Boolean) };
}

const stays = 'reportStarted(); setInterval(() => undefined, 1000);';

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !isTrue(); tries += 1) await pause(25);
  expect(isTrue()).toBe(true);
}

test('a start that is refused is not tried again, and its code is passed on', async () => {
  const { ended, starts } = supervised("console.log('one sentence'); process.exit(1);");
  expect(await ended).toEqual({ code: 1, output: 'one sentence\n' });
  expect(starts()).toHaveLength(1);
});

test.skipIf(process.platform === 'win32')('a server restarts on request or when it is killed; SIGTERM is forwarded and ends both with its code', async () => {
  const { parent, ended, starts } = supervised(
    `if (count === 1) process.exit(75); process.on('SIGTERM', () => process.exit(0)); process.on('SIGINT', () => process.exit(9)); ${stays} if (count === 2) setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50);`,
  );
  await until(() => starts().length === 3);
  await pause(300);
  parent.kill('SIGTERM');
  const { code, output } = await ended;
  expect(code).toBe(0);
  expect(output).toBe('The server ended with code 75 and restarts in 1 s.\nThe server ended with SIGKILL and restarts in 2 s.\n');
});

test.skipIf(process.platform === 'win32')('a supervisor that is killed takes its server along', async () => {
  const { parent, starts } = supervised(`process.on('SIGTERM', () => process.exit(0)); ${stays}`);
  await until(() => starts().length === 1);
  await pause(200);
  parent.kill('SIGKILL');
  const isGone = () => {
    try {
      process.kill(Number(starts()[0]), 0);
      return false;
    } catch {
      return true;
    }
  };
  await until(isGone);
});
