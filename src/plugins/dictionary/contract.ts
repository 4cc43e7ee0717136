import type { Static } from 'typebox';
import * as Type from 'typebox';
import { crud, type Entity, entity, get, type ListInput, list, NoInput, PageOf, type RowOf, TreeNode, TreeOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { Id, Integer, Nullable, Parent, Select, Text } from '#shared/fields';
import { codes } from '#shared/menu-entry';
import type { LocalizedText } from '#shared/text';
import { dictEntities } from './events.ts';

const parentTitle = ['上级字典', 'Parent dictionary'] as const;
const yesNo = [
  [0, ['否', 'No']],
  [1, ['是', 'Yes']],
] as const;

const tones = [
  ['neutral', ['灰', 'Gray']],
  ['brand', ['主题色', 'Brand']],
  ['good', ['绿', 'Green']],
  ['warning', ['橙', 'Orange']],
  ['danger', ['红', 'Red']],
] as const;

/** Declares an entity for dictionaries, which have the parent '0' and the key '-1', and for their entries, which carry the dictionary's code. */
const dictEntity = (name: string, owner: Entity['owner']) =>
  entity(
    name,
    {
      id: Id(),
      parentId: Parent({ title: parentTitle, list: false }),
      code: Text({
        title: ['字典编号', 'Dictionary code'],
        maxLength: 64,
        search: true,
        sort: true,
        help: ['字典项沿用上级字典的编号', 'Entries use the code of their parent'],
      }),
      dictKey: Text({ title: ['字典键值', 'Dictionary key'], maxLength: 64 }),
      dictValue: Text({ title: ['字典名称', 'Dictionary name'], search: true, sort: true, englishIn: 'dictValueEn' }),
      dictValueEn: Nullable(Text({ title: ['英文名称', 'English name'], search: true, list: false })),
      tone: Nullable(
        Select({
          title: ['标签颜色', 'Tag color'],
          options: tones,
          tones: Object.fromEntries(tones.map(([tone]) => [tone, tone])),
          help: ['列表中以此颜色显示', 'Color used in lists'],
        }),
      ),
      sort: Integer({ title: ['字典排序', 'Sort order'], sort: true }),
      isSealed: Select({ title: ['封存', 'Sealed'], options: yesNo, default: 0, search: true }),
      remark: Nullable(Text({ title: ['字典备注', 'Remark'], filter: true })),
    },
    { owner, order: ['sort'], archivable: true },
  );

/** System dictionary, owned by the platform. */
export const Dict = dictEntity(dictEntities.system, 'platform');
/** Business dictionary, owned by a tenant. */
export const DictBiz = dictEntity(dictEntities.business, 'tenant');
export type DictEntity = typeof Dict;
export type DictRow = RowOf<typeof Dict>;

/** Name of a dictionary or entry in both languages. */
export const titleOfDict = ({ dictValue, dictValueEn }: Pick<DictRow, 'dictValue' | 'dictValueEn'>): LocalizedText => [dictValue, dictValueEn || dictValue];

/** Form of a dictionary or entry: an entry can take its code from its parent, a dictionary has neither key nor parent, and an edit leaves omitted fields unchanged. */
const DictForm = Type.Object({
  ...Dict.form.properties,
  code: Nullable(Dict.fields.code),
  parentId: Nullable(Id({ title: parentTitle })),
  dictKey: Nullable(Dict.fields.dictKey),
});
export type DictSubmit = Static<typeof DictForm>;

const OfCode = Type.Object({ code: Text({ title: ['字典编号', 'Dictionary code'], maxLength: 64 }) });
/** With `includesArchived`, archived entries follow those that can be selected; existing rows still show their names. */
const OfDictionary = Type.Object({ ...OfCode.properties, includesArchived: Type.Optional(Type.Boolean()) });
const MaybeOfCode = Type.Object({ code: Type.Optional(Text({ title: ['字典编号', 'Dictionary code'], maxLength: 64 })) });
const BelowParent = Type.Unsafe<ListInput>({
  type: 'object',
  properties: { parentId: { type: 'string', pattern: '^(-?\\d{1,19})?$' }, ascs: { type: 'string' }, descs: { type: 'string' } },
});

function dictCalls(path: string, rows: DictEntity) {
  const access = { code: codes(rows.name).page };
  const { row } = rows;
  return {
    ...crud(path, rows, { tree: true, input: DictForm }),
    parentList: list(`${path}/parent-list`, rows, access, ['字典分页', 'Dictionaries']),
    childList: get(`${path}/child-list`, {
      title: ['字典项', 'Dictionary entries'],
      access,
      filterable: rows,
      input: BelowParent,
      reply: TreeOf(row),
      page: PageOf(row),
    }),
    tree: get(`${path}/tree`, { title: ['字典树', 'Dictionary tree'], access, input: MaybeOfCode, reply: TreeOf(TreeNode) }),
    parentTree: get(`${path}/parent-tree`, { title: ['上级字典树', 'Parent dictionary tree'], access, input: NoInput, reply: TreeOf(TreeNode) }),
    dictionary: get(`${path}/dictionary`, { title: ['字典取值', 'Dictionary values'], access: 'signedIn', input: OfDictionary, reply: Type.Array(row) }),
    dictionaryTree: get(`${path}/dictionary-tree`, { title: ['字典取值树', 'Dictionary value tree'], access: 'signedIn', input: OfCode, reply: TreeOf(row) }),
    select: get(`${path}/select`, { title: ['字典下拉', 'Dictionary options'], access: 'signedIn', input: NoInput, reply: Type.Array(row) }),
  };
}
export type DictCalls = ReturnType<typeof dictCalls>;

export const dict = dictCalls('/api/blade-system/dict', Dict);
export const dictBiz = dictCalls('/api/blade-system/dict-biz', DictBiz);

export const dictProblems = {
  taken: problem(409, ['当前字典键值已存在!', 'This dictionary key already exists.']),
};
