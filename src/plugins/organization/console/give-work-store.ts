import type { InputOf } from '#shared/contract';
import type { Work, WorkField, workCalls } from '../work-contract.ts';

/** Input of the panel that gives a user work. */
export interface WorkDraft {
  readonly userId: string | undefined;
  readonly account: string;
  readonly realName: string;
  readonly phone: string;
  readonly works: readonly string[];
  /** Selected ids by the entity that they are rows of. */
  readonly limits: Readonly<Record<string, readonly string[]>>;
}

/** Returns the fields by which the selected work can be limited. */
export function limitsOf(works: readonly Work[], selected: readonly string[], fields: readonly WorkField[]): readonly WorkField[] {
  const targets = new Set(works.filter(({ key }) => selected.includes(key)).flatMap((work) => work.targets));
  return fields.filter(({ target }) => targets.has(target));
}

/** Returns the request of a draft; undefined while it is incomplete. */
export function requestOf(draft: WorkDraft, fields: readonly WorkField[]): InputOf<typeof workCalls.give> | undefined {
  const { userId, works } = draft;
  const [account, realName, phone] = [draft.account.trim(), draft.realName.trim(), draft.phone.trim()];
  if (works.length === 0 || !(userId || (account && realName))) return undefined;
  const limits = fields.flatMap(({ target }) => {
    const ids = draft.limits[target] ?? [];
    return ids.length > 0 ? [{ target, ids: [...ids] }] : [];
  });
  const person = userId ? { userId } : { account, realName, ...(phone ? { phone } : {}) };
  return { ...person, works: [...works], ...(limits.length > 0 ? { limits } : {}) };
}
