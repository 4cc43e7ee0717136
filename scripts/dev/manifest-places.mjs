/** Finds the lines of a manifest to which the problems of a deployment belong. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';

/** Returns the problems of an error from reading a deployment, each with the file and the line where they are known. */
export function problemsOf(error, paths) {
  const { files = paths, problems = [error.message] } = error;
  return problems.map((message) => {
    const place = syntaxPlace(message, files) ?? files.map((path) => placeIn(path, message)).find(Boolean) ?? {};
    return { message: stripVTControlCharacters(message), ...place };
  });
}

/** Returns the place of the first error in the syntax of a file that the message names. */
function syntaxPlace(message, files) {
  if (!message.includes('is not JSON')) return undefined;
  for (const path of files) {
    const errors = [];
    const text = textOf(path);
    parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
    if (errors.length > 0) return { file: displayPath(path), line: lineOf(text, errors[0].offset) };
  }
  return undefined;
}

/** Returns the place of the longest part of the path at the beginning of the message that a file contains. */
function placeIn(path, message) {
  const text = textOf(path);
  const tree = parseTree(text);
  const [at = ''] = /^[\w.:@/-]+/.exec(message) ?? [];
  const quoted = /"([^"]+)"/.exec(message)?.[1];
  const keys = at.replace(/[.:]+$/, '').split('.');
  for (let length = keys.length; length > 0; length -= 1) {
    const node = tree && nodeAt(tree, keys.slice(0, length));
    if (node) return { file: displayPath(path), line: lineOf(text, node.offset) };
  }
  const found = quoted === undefined ? -1 : text.indexOf(`"${quoted}"`);
  return found < 0 ? undefined : { file: displayPath(path), line: lineOf(text, found) };
}

/** Finds a value by its path. Plugins are named by their ids, and inherited ones stand under `with`. */
function nodeAt(tree, [key, id, ...rest]) {
  if (key !== 'plugins' || id === undefined)
    return findNodeAtLocation(
      tree,
      [key, id, ...rest].filter((step) => step !== undefined),
    );
  for (const list of ['plugins', 'with']) {
    const entries = findNodeAtLocation(tree, [list])?.children ?? [];
    const isNamed = ({ type, value }) => type === 'string' && (value === id || value.endsWith(`/${id}`));
    const entry = entries.find((each) => isNamed(each.type === 'object' ? (findNodeAtLocation(each, ['use']) ?? {}) : each));
    if (entry) return rest.length === 0 ? entry : findNodeAtLocation(entry, rest);
  }
  return undefined;
}

const lineOf = (text, offset) => text.slice(0, offset).split('\n').length;
export const displayPath = (path) => relative(process.cwd(), path).replaceAll('\\', '/');

function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
