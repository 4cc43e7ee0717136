import { readFileSync } from 'node:fs';
import { expect, test } from '@rstest/core';

const lines = readFileSync('CHANGELOG.md', 'utf8').split('\n');
const entries = lines.filter((line) => line.startsWith('- '));

test('each change is one line of at most 120 characters', () => {
  expect(entries.length).toBeGreaterThan(100);
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
  expect(lines.filter((line) => /^\s+\S/.test(line))).toEqual([]);
});

test('each change is listed once, as a sentence', () => {
  expect(entries.filter((line, index) => entries.indexOf(line) !== index)).toEqual([]);
  expect(entries.filter((line) => !/^- [\p{Lu}`\p{Script=Han}*].*\.$/u.test(line))).toEqual([]);
});

test('changes are listed under a topic of a version', () => {
  let topic = '';
  const misplaced = lines.filter((line) => {
    if (line.startsWith('## ')) topic = '';
    if (line.startsWith('### ')) topic = line;
    return line.startsWith('- ') && topic === '';
  });
  expect(misplaced).toEqual([]);
});
