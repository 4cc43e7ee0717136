/**
 * Implements `npm run platforms`: installs the locked packages for other platforms into temporary folders and checks the native file of each package that has one.
 * Needs the registry. Arguments select platforms: `npm run platforms -- darwin-arm64`.
 */
import { closeSync, copyFileSync, existsSync, mkdtempSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockedPackages, nativePackages, withoutNativeCode } from './lock-file.mjs';
import { spawnNpm } from './npm.mjs';
import { root } from './prepare.mjs';
import { fail } from './steps.mjs';

const platforms = {
  'darwin-arm64': { os: 'darwin', cpu: 'arm64' },
  'darwin-x64': { os: 'darwin', cpu: 'x64' },
  'win32-x64': { os: 'win32', cpu: 'x64' },
  'linux-arm64': { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  'linux-x64-musl': { os: 'linux', cpu: 'x64', libc: 'musl' },
};
const packages = lockedPackages(join(root, 'package-lock.json'));

const selected = process.argv.slice(2);
const unknown = selected.filter((name) => !platforms[name]);
if (unknown.length > 0) fail(`${unknown.join(', ')}: unknown platform. Available: ${Object.keys(platforms).join(', ')}.`);
for (const name of selected.length > 0 ? selected : Object.keys(platforms)) {
  const problems = problemsOf(name, platforms[name]);
  for (const problem of problems) console.log(`! ${name}: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

function problemsOf(name, platform) {
  const folder = mkdtempSync(join(tmpdir(), `marquee-${name}-`));
  try {
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(root, file), join(folder, file));
    const flags = ['os', 'cpu', 'libc'].filter((key) => platform[key]).map((key) => `--${key}=${platform[key]}`);
    const { status, stderr } = spawnNpm(['ci', ...flags, '--ignore-scripts'], { cwd: folder });
    if (status !== 0) return [`npm ci ended with ${status}: ${stderr}`];
    const native = nativePackages(packages, platform);
    const absent = withoutNativeCode(packages, platform);
    const broken = native.filter(({ place }) => !hasNativeFile(join(folder, place), platform));
    console.log(
      `${name}: ${native.length - broken.length} of ${native.length} packages have their native file: ${native.map((entry) => entry.name).join(', ')}`,
    );
    return [
      ...absent.map((dependent) => `${dependent} has no package for this platform`),
      ...broken.map((entry) => `${entry.name} is not installed, or has no native file for this platform`),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function hasNativeFile(folder, platform) {
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .some((entry) => isMachineCode(join(entry.parentPath, entry.name), platform));
}

/** Returns true for a file that starts like an executable or library of the platform: ELF, Mach-O or PE, for its processor. */
function isMachineCode(path, { os, cpu }) {
  const file = openSync(path, 'r');
  const head = Buffer.alloc(4096);
  readSync(file, head, 0, head.length, 0);
  closeSync(file);
  if (os === 'linux') return head.toString('latin1', 0, 4) === '\x7fELF' && head.readUInt16LE(18) === { x64: 0x3e, arm64: 0xb7 }[cpu];
  if (os === 'darwin') {
    const isUniversal = head.readUInt32BE(0) === 0xcafebabe;
    return isUniversal || (head.readUInt32LE(0) === 0xfeedfacf && head.readUInt32LE(4) === { x64: 0x01000007, arm64: 0x0100000c }[cpu]);
  }
  const start = head.toString('latin1', 0, 2) === 'MZ' ? head.readUInt32LE(60) : 0;
  return start > 0 && start < head.length - 6 && head.toString('latin1', start, start + 2) === 'PE' && head.readUInt16LE(start + 4) === 0x8664;
}
