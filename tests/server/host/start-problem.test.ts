import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from '@rstest/core';
import { prepareDataDirectory } from '../../../src/server/base/configuration/data-directory.ts';
import { startProblem } from '../../../src/server/host/start-problem.ts';

const databaseUrl = 'postgres://clerk:hush%20hush@db:5433/office';
const settings = { databaseUrl: undefined, dataDirectory: join(tmpdir(), 'office'), host: '192.0.2.7', port: 80, timeZone: 'Moon/Base' };
const failure = (facts: object) => Object.assign(new Error('as the system says it'), facts);
const inDirectory = (code: string) => failure({ code, path: join(settings.dataDirectory, 'secret.key') });
const sentenceOf = (error: unknown, more: object = {}) => startProblem(error, { ...settings, ...more }).message;

test.each([
  [failure({ code: 'EADDRINUSE', syscall: 'listen' }), 'PORT 80 is in use'],
  [failure({ code: 'EACCES', syscall: 'listen' }), 'Set PORT to a port above 1023'],
  [failure({ code: 'EADDRNOTAVAIL', syscall: 'listen' }), 'HOST 192.0.2.7 is not an address of this machine'],
  [failure({ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: '192.0.2.7' }), 'HOST 192.0.2.7 is not an address of this machine'],
  [inDirectory('EACCES'), 'is not writable for this user. Change its owner'],
  [inDirectory('EPERM'), 'is not writable for this user. Change its owner'],
  [inDirectory('EROFS'), 'read-only disk'],
  [inDirectory('ENOTDIR'), 'is not a folder'],
  [inDirectory('ENOENT'), 'cannot be created'],
  [inDirectory('EFBIG'), 'ulimit -f'],
  [failure({ code: 'ENOSPC', syscall: 'write' }), 'is full. Free some space'],
  [failure({ code: 'EDQUOT', syscall: 'write' }), 'is full. Free some space'],
  [{ name: 'ErrnoError', errno: 51 }, 'is full. Free some space'],
  [{ name: 'ErrnoError', errno: 2 }, 'is not writable for this user'],
])('%j is explained', (error, sentence) => {
  expect(sentenceOf(error)).toContain(sentence);
});

test.each([
  [{ code: 'ECONNREFUSED' }, 'No PostgreSQL answers at db:5433'],
  [{ code: 'ENOTFOUND' }, 'has the unknown host db'],
  [{ code: '28P01' }, 'rejects the password of clerk'],
  [{ code: '28000' }, 'does not allow clerk to sign in'],
  [{ code: '3D000' }, 'createdb office'],
  [{ code: '53300' }, 'max_connections'],
  [{ code: '57P03' }, 'No PostgreSQL answers at db:5433'],
  [{ code: '08006' }, 'No PostgreSQL answers at db:5433'],
  [{ code: '22023', message: 'invalid value for parameter "TimeZone": "Moon/Base"' }, 'Set TIME_ZONE to another name'],
  [{ message: 'The server does not support SSL connections' }, 'does not support TLS'],
  [{ message: 'timeout exceeded when trying to connect' }, 'No PostgreSQL answers at db:5433'],
])('of a PostgreSQL %j is explained', (facts, sentence) => {
  expect(sentenceOf(failure(facts), { databaseUrl })).toContain(sentence);
});

test('an unknown error keeps its message, without the password of the database', () => {
  expect(sentenceOf(new Error('clerk, hush hush and hush%20hush are unknown'), { databaseUrl })).toBe('clerk, *** and *** are unknown');
  expect(sentenceOf(failure({ code: 'EACCES', path: '/elsewhere' }))).toBe('as the system says it');
  expect(sentenceOf('thrown as a text')).toBe('thrown as a text');
});

test('a data directory is created with its parents, and the check leaves nothing in it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-data-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  prepareDataDirectory(join(folder, 'one/two'));
  expect(readdirSync(join(folder, 'one/two'))).toEqual([]);
  writeFileSync(join(folder, 'file'), '');
  expect(() => prepareDataDirectory(join(folder, 'file'))).toThrow(/EEXIST/);
  expect(() => prepareDataDirectory(join(folder, 'file/below'))).toThrow(/ENOTDIR|ENOENT/);
});
