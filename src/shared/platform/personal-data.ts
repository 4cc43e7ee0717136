import * as Type from 'typebox';
import { entity, post } from '../contract/contract.ts';
import { DateTime, Id, Integer, Nullable, Select, Text } from '../contract/fields.ts';
import type { LocalizedText } from '../text/text.ts';

/** Ways in which personal data is read in the clear or erased. */
export const personalActions = [
  ['shown', ['查看', 'Shown']],
  ['exported', ['导出列表', 'List exported']],
  ['person-exported', ['导出个人数据', 'Person exported']],
  ['erased', ['删除个人数据', 'Person erased']],
] as const satisfies readonly (readonly [string, LocalizedText])[];
/** One of `personalActions`. */
export type PersonalAction = (typeof personalActions)[number][0];

/** Record of who has read masked values, or has exported or erased a person: it contains the names of fields, and never a value. */
export const PersonalAccessEntry = entity(
  'personal_access',
  {
    id: Id(),
    createTime: DateTime({ title: ['时间', 'Time'], form: false, search: true, sort: true }),
    userId: Nullable(Id({ title: ['操作人编号', 'User ID'], filter: true })),
    userName: Text({ title: ['操作人', 'User'], maxLength: 64, search: true }),
    action: Select({ title: ['操作', 'Action'], options: personalActions, search: true, tones: { erased: 'danger' } }),
    entity: Text({ title: ['数据', 'Data'], maxLength: 64, search: true }),
    recordId: Nullable(Id({ title: ['记录编号', 'Record ID'], list: true, search: true })),
    fields: Text({ title: ['字段', 'Fields'], maxLength: 500 }),
    rows: Integer({ title: ['记录数', 'Records'], minimum: 0 }),
    requestId: Nullable(Text({ title: ['请求编号', 'Request ID'], maxLength: 64, list: false })),
  },
  { versioned: false },
);

/** Call with which the console shows the masked values of one record. The caller needs the entity's button, and the list of the record. */
export const showPersonal = post('/api/blade-system/personal/show', {
  title: ['查看个人信息', 'Show personal data'],
  access: 'signedIn',
  input: Type.Object({
    entity: Type.String({ maxLength: 64 }),
    id: Id(),
    /** Masked fields to show; all of the record by default. */
    fields: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 50 })),
  }),
  reply: Type.Object({ values: Type.Unsafe<Record<string, string | null>>({ type: 'object', additionalProperties: { type: ['string', 'null'] } }) }),
});
