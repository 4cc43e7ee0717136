import { problem, Refusal } from '#server';
import type { FormOf } from '#shared/contract';
import { say } from '#shared/text';
import { knownParams, type Param, paramProblems } from '../contract.ts';

/** A parameter the server reads takes what the server can read; any other takes anything. */
export function refuseWrongValue({ paramKey, paramValue }: FormOf<typeof Param>): void {
  const known = knownParams.find(({ value }) => value === paramKey?.trim());
  if (!known?.form || paramValue === undefined || known.form.test(paramValue.trim())) return;
  const { status, words } = paramProblems.wrongValue;
  const told = problem(status, [say(words, 'zh', { help: known.help[0] }), say(words, 'en', { help: known.help[1] })]);
  throw new Refusal(told, {}, { field: 'paramValue' });
}
