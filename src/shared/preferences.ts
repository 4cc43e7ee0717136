import { Array as List, Object as Shape, Unsafe } from 'typebox';
import { Done, get, post } from './contract.ts';
import { problem } from './errors.ts';

/** How one user likes something: a value under a key, in a form whose version the reader knows. */
export interface UserPreference {
  key: string;
  version: number;
  value: unknown;
}

/** What one value may take, in bytes of JSON, and how many keys one user may have. */
export const preferenceLimits = { bytes: 65_536, keys: 500 } as const;

export const preferenceProblems = {
  tooMany: problem(409, ['个人偏好已达数量上限', 'Too many saved settings.']),
};

const path = '/api/things-system/preference';
const key = Unsafe<string>({ type: 'string', minLength: 1, maxLength: 160 });
const version = Unsafe<number>({ type: 'integer', minimum: 1, maximum: 1_000_000 });
const Kept = Unsafe<UserPreference>({ type: 'object', required: ['key', 'version', 'value'], properties: { key, version, value: {} } });

/** The signed-in user's own preferences; nobody meets another's. */
export const preference = {
  list: get(`${path}/list`, {
    title: ['个人偏好', 'Personal settings'],
    who: 'signedIn',
    input: Shape({ prefix: Unsafe<string>({ type: 'string', maxLength: 160, default: '' }) }),
    reply: List(Kept),
  }),
  submit: post(`${path}/submit`, {
    title: ['保存个人偏好', 'Save a setting'],
    who: 'signedIn',
    input: Unsafe<UserPreference>({ type: 'object', required: ['key', 'version', 'value'], properties: { key, version, value: {} } }),
    reply: Done,
  }),
  remove: post(`${path}/remove`, { title: ['清除个人偏好', 'Delete a setting'], who: 'signedIn', input: Shape({ key }), reply: Done }),
};
