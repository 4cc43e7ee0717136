import type { Static } from 'typebox';
import * as Type from 'typebox';
import type { LocalizedText } from '../text/text.ts';

/** Parts of a deployment whose health is reported, in the order of the screen. */
export const healthSections = {
  servers: ['服务器', 'Servers'],
  backup: ['备份', 'Backups'],
  database: ['数据库', 'Database'],
  queues: ['队列', 'Queues'],
  disk: ['磁盘与文件', 'Disks and files'],
  keys: ['密钥', 'Keys'],
  certificates: ['证书', 'Certificates'],
} as const satisfies Record<string, LocalizedText>;
export type HealthSection = keyof typeof healthSections;

const Localized = Type.Unsafe<LocalizedText>({ type: 'array', items: { type: 'string' } });

/** Urgent problems lose data or stop work; the others become urgent later. */
const HealthProblem = Type.Object({
  isUrgent: Type.Boolean(),
  /** Sentences that say what is wrong and what to do. */
  text: Localized,
  /** Time since which it lasts, where the server knows it. */
  since: Type.Optional(Type.String()),
  /** Code of the menu entry of a page that helps. */
  page: Type.Optional(Type.String()),
});
export type HealthProblem = Static<typeof HealthProblem>;

/** One fact of a section; its value is a number with a unit, or a text. */
export const HealthItem = Type.Object({
  section: Type.Unsafe<HealthSection>({ type: 'string', enum: Object.keys(healthSections) }),
  id: Type.String(),
  title: Localized,
  value: Type.Optional(Type.Number()),
  /** Unit of the value; a plain count by default. */
  unit: Type.Optional(Type.Unsafe<'bytes' | 'seconds'>({ type: 'string', enum: ['bytes', 'seconds'] })),
  text: Type.Optional(Localized),
  problem: Type.Optional(HealthProblem),
});
export type HealthItem = Static<typeof HealthItem>;
/** A value of the health page as its source reads it; the registry adds the section. */
export type SectionItem = Omit<HealthItem, 'section'>;
