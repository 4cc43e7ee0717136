import { Array as List, Optional as Omissible, Object as Shape, type Static, type TObject, type TProperties, Unsafe } from 'typebox';
import { codes, crud, entity, get, list, menu, Nothing, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { Choice, Id, Optional, Parent, Text, Whole } from '#shared/fields';
import type { Words } from '#shared/text';

const path = '/api/blade-system/dict';
const parentTitle = ['上级字典', 'Parent dictionary'] as const;
const yesNo = [
  [0, ['否', 'No']],
  [1, ['是', 'Yes']],
] as const;

const code = Text({ title: ['字典编号', 'Dictionary code'], maxLength: 64, search: true, sort: true });
const dictValue = Text({ title: ['字典名称', 'Dictionary name'], search: true, sort: true });
const dictKey = Text({ title: ['字典键值', 'Dictionary key'], maxLength: 64 });
const parentId = Parent({ title: parentTitle, list: false });
const sort = Whole({ title: ['字典排序', 'Sort order'], sort: true });
const isSealed = Choice({ title: ['封存', 'Sealed'], options: yesNo, default: 0, search: true });
const remark = Optional(Text({ title: ['字典备注', 'Remark'] }));

/** A dictionary, below '0' and with the key '-1', or one of its entries, which carries the dictionary's code. */
export const Dict = entity('dict', { id: Id(), parentId, code, dictKey, dictValue, sort, isSealed, remark }, 'platform');
export type DictRow = RowOf<typeof Dict>;

/** What an operator sees and enters of a dictionary. */
const DictHead = entity('dict', { id: Id(), code, dictValue, sort, isSealed, remark }, 'platform');
/** What an operator sees and enters of an entry. */
const DictEntry = entity('dict', { id: Id(), dictValue, dictKey, parentId: Optional(parentId), sort, isSealed, remark }, 'platform');

/** What a submit takes: an entry may leave its code to its parent, a dictionary has neither key nor parent, and what an edit leaves out stays. */
const DictForm = Shape({
  ...Dict.form.properties,
  code: Optional(code),
  parentId: Optional(Id({ title: parentTitle })),
  dictKey: Optional(dictKey),
});
export type DictSubmit = Static<typeof DictForm>;

/** A row with those below it; `children` is left out where there are none. */
export type Branch<Row> = Row & { children?: Branch<Row>[] };

const branches = <Fields extends TProperties>(row: TObject<Fields>) => {
  const deeper = Unsafe<Branch<Static<TObject<Fields>>>[]>({ type: 'array', items: { type: 'object', properties: {}, additionalProperties: true } });
  return Unsafe<Branch<Static<TObject<Fields>>>[]>(List(Shape({ ...row.properties, children: Omissible(deeper) })));
};

const text = Unsafe<string>({ type: 'string' });
const DictNode = Shape({ id: text, parentId: text, title: text, value: text, key: text });
export type DictNode = Static<typeof DictNode>;

const DictCode = Shape({ code: Text({ title: ['字典编号', 'Dictionary code'], maxLength: 64 }) });
const BelowParent = Shape({ parentId: Optional(Text({ title: parentTitle, pattern: '^-?\\d{1,19}$' })) });
const who = { code: codes('dict').page };

export const dict = {
  ...crud(path, Dict),
  list: get(`${path}/list`, { title: ['全部字典', 'All as a tree'], who, input: Nothing, reply: branches(Dict.row) }),
  parentList: list(`${path}/parent-list`, Dict, who, ['字典分页', 'Dictionaries']),
  childList: get(`${path}/child-list`, { title: ['字典项', 'Entries of a dictionary'], who, input: BelowParent, reply: branches(Dict.row) }),
  submit: post(`${path}/submit`, {
    title: ['新增或修改', 'Add or update'],
    who: { add: codes('dict').add, edit: codes('dict').edit },
    input: DictForm,
    reply: Dict.row,
  }),
  tree: get(`${path}/tree`, { title: ['字典树', 'Tree'], who, input: Shape({ code: Omissible(text) }), reply: branches(DictNode) }),
  dictionary: get(`${path}/dictionary`, { title: ['字典取值', 'Values of a dictionary'], who: 'signedIn', input: DictCode, reply: List(Dict.row) }),
  select: get(`${path}/select`, { title: ['字典下拉', 'Choices of dictionary'], who: 'signedIn', input: Nothing, reply: List(Dict.row) }),
};

const { menu: page, submit, remove, detail } = dict;

/** The calls behind the table of dictionaries. */
export const dictHeads = { entity: DictHead, menu: page, list: dict.parentList, detail, submit, remove };
/** The calls behind the table of one dictionary's entries. */
export const dictEntries = { entity: DictEntry, menu: page, list: dict.childList, submit, remove };

export const dictProblems = {
  taken: problem(409, ['当前字典键值已存在!', 'This dictionary key already exists!']),
  hasChildren: problem(409, ['请先删除子节点!', 'Delete what is below it first!']),
  belowItself: problem(409, ['不能移动到自身或其下级!', 'It cannot stand below itself!']),
};

export const dictWords = {
  configure: ['字典配置', 'Configure'],
  entriesOf: ['字典配置:{name}', 'Entries of {name}'],
} as const satisfies Record<string, Words>;

export const dictMenu = menu({
  code: 'dict',
  title: ['系统字典', 'Dictionaries'],
  path: '/system/dict',
  under: 'system',
  icon: 'book',
  buttons: ['add', 'edit', 'delete', 'view'],
});
