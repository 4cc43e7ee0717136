import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id } from '#shared/fields';

const IntegerSchema = Type.Unsafe<number>({ type: 'integer' });
const text = Type.Unsafe<string>({ type: 'string' });

/** Entry in the timeline of a task. */
export const Step = Type.Object({
  id: Id(),
  kind: Type.Unsafe<TimelineKind>({ type: 'string' }),
  time: text,
  userName: text,
});
/** Kinds of entries in the timeline of a task. */
export type TimelineKind = 'created' | 'edited' | 'handedIn' | 'published' | 'takenDown' | 'finished';
export type TimelineEntry = Static<typeof Step>;

/** Earlier proof with a byte-identical picture or the same link target. */
export const Duplicate = Type.Object({
  id: Id(),
  by: Type.Unsafe<'image' | 'link'>({ type: 'string' }),
  taskTitle: text,
  nickName: text,
  submitTime: text,
  auditStatus: IntegerSchema,
});
export type DuplicateProof = Static<typeof Duplicate>;

/** Progress of an auditor's queue. */
export const Counts = Type.Object({
  /** Capped at 10,001. */
  pending: IntegerSchema,
  /** Number of proofs leased by other auditors. */
  held: IntegerSchema,
  passedToday: IntegerSchema,
  rejectedToday: IntegerSchema,
  /** Seconds in which the auditor can undo a decision. */
  undoSeconds: IntegerSchema,
});
export type AuditCounts = Static<typeof Counts>;

/** Number of decisions of one auditor. */
export const Figure = Type.Object({ auditUser: Id(), auditorName: text, passed: IntegerSchema, rejected: IntegerSchema });
export type AuditorFigure = Static<typeof Figure>;
