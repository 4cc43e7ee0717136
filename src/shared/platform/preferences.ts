import * as Type from 'typebox';
import { get, NoContent, post } from '../contract/contract.ts';
import { problem } from '../contract/errors.ts';

/** A preference of one user: a value under a key, with the version of its format. */
export interface UserPreference {
  key: string;
  version: number;
  value: unknown;
}

/** Maximum size of one value in bytes of JSON, and maximum number of keys per user. */
export const preferenceLimits = { bytes: 65_536, keys: 500 } as const;

export const preferenceProblems = {
  tooMany: problem(409, ['个人偏好已达数量上限', 'Limit of saved preferences reached.']),
};

const path = '/api/things-system/preference';
const key = Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength: 160 });
const version = Type.Unsafe<number>({ type: 'integer', minimum: 1, maximum: 1_000_000 });
const StoredPreference = Type.Unsafe<UserPreference>({ type: 'object', required: ['key', 'version', 'value'], properties: { key, version, value: {} } });

/** Preferences of the signed-in user; users cannot read those of others. */
export const preference = {
  list: get(`${path}/list`, {
    title: ['个人偏好', 'Preferences'],
    access: 'signedIn',
    input: Type.Object({ prefix: Type.Unsafe<string>({ type: 'string', maxLength: 160, default: '' }) }),
    reply: Type.Array(StoredPreference),
  }),
  submit: post(`${path}/submit`, {
    title: ['保存个人偏好', 'Save a preference'],
    access: 'signedIn',
    input: Type.Unsafe<UserPreference>({ type: 'object', required: ['key', 'version', 'value'], properties: { key, version, value: {} } }),
    reply: NoContent,
  }),
  remove: post(`${path}/remove`, {
    title: ['清除个人偏好', 'Delete a preference'],
    access: 'signedIn',
    effect: 'removed',
    input: Type.Object({ key }),
    reply: NoContent,
  }),
};
