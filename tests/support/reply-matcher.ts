import { expect } from '@rstest/core';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the parts of a value that a pattern mentions. */
function mentioned(actual: unknown, expected: unknown): unknown {
  if (Array.isArray(actual) && Array.isArray(expected)) return actual.map((one, index) => (index in expected ? mentioned(one, expected[index]) : one));
  if (!isObject(actual) || !isObject(expected) || Object.getPrototypeOf(expected) !== Object.prototype) return actual;
  return Object.fromEntries(Object.keys(expected).flatMap((name) => (name in actual ? [[name, mentioned(actual[name], expected[name])]] : [])));
}

/** Describes a reply of the server by its code and message; undefined for other values. */
export function describeReply(value: unknown): string | undefined {
  if (!isObject(value) || !('code' in value) || !('msg' in value)) return undefined;
  const about = ['name', 'verb', 'path', 'field'].filter((key) => typeof value[key] === 'string').map((key) => `${key}: ${value[key]}`);
  return [...about, `code: ${value.code}`, `msg: ${value.msg}`].join(', ');
}

/** Makes `toMatchObject` name the code and the message of a reply that does not match, because the difference shows the expected properties only. */
export function nameReplies(): void {
  expect.extend({
    toMatchObject(received: unknown, expected: unknown) {
      const { equals, isNot, utils } = this;
      const pass = equals(received, expected, [...(this.customTesters ?? []), utils.iterableEquality, utils.subsetEquality]);
      const reply = describeReply(received);
      const wanted = `expected ${utils.stringify(mentioned(received, expected))} ${isNot ? 'not ' : ''}to match ${utils.stringify(expected)}`;
      return { pass, message: () => (reply === undefined ? wanted : `${reply}\n${wanted}`), actual: mentioned(received, expected), expected };
    },
  });
}
