import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = process.cwd();

/** Returns the messages of the type checker and the formatter about these files as part of the project; '' for none. */
export function sourceProblems(files: readonly { path: string; text: string }[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-sources-'));
  try {
    for (const { path, text } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    for (const path of ['package.json', 'biome.json']) cpSync(join(root, path), join(folder, path));
    const configuration = { include: ['src/plugins', 'tests/plugins', 'src/shared/deployment.d.ts'], extends: resolve(root, 'tsconfig.json') };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
    const run = (program: string, ...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(resolve(root, 'node_modules/.bin', program), args, { cwd: folder, encoding: 'utf8' });
      return status === 0 ? '' : stdout + stderr;
    };
    const format = run('biome', 'check', '--error-on-warnings', '--vcs-enabled=false', 'src/plugins', 'tests/plugins');
    // The rest of the project is linked only now, because the formatter would read all of it.
    for (const path of ['src/shared', 'src/server', 'src/kernel', 'tests/kit', 'tests/support', 'node_modules'])
      symlinkSync(resolve(root, path), join(folder, path));
    const types = run('tsc', '-p', '.', '--noEmit', '--checkers', '1')
      .split('\n')
      .filter((line) => /^(src|tests)\/plugins\//.test(line));
    return types.join('\n') + format;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
