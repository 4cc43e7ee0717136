import type { LocalizedText } from '#shared/text';
import { classOf, isReservedName, propertyOf } from '../names.ts';
import { imports, quote } from './code.ts';
import { emit } from './emit.ts';
import { isReserved } from './migration-file.ts';
import type { EmittedFile, EntityPlan, FieldPlan } from './plan.ts';

/** Id and title of a new plugin, and the menu group of its page. */
export interface ScaffoldInput {
  readonly id: string;
  readonly title: LocalizedText;
  readonly under: string;
}

const defaults = { isMultiple: false, preset: undefined, isUnique: false, isSortable: false };

const fields: readonly FieldPlan[] = [
  {
    ...defaults,
    name: 'name',
    builder: 'Text',
    traits: { title: ['名称', 'Name'], maxLength: 64, search: true, sort: true },
    isOptional: false,
    sqlType: 'varchar(64)',
    isUnique: true,
    isSortable: true,
    sample: 'First',
  },
  { ...defaults, name: 'remark', builder: 'Text', traits: { title: ['备注', 'Remark'] }, isOptional: true, sqlType: 'varchar(255)', sample: 'Anything' },
];

const isFree = (name: string) => !isReservedName(name) && !(name in globalThis);

/** Emits a starter plugin: one list of rows with a name and a remark, its form, permission codes, table, samples and tests. */
export function scaffold({ id, title, under }: ScaffoldInput): EmittedFile[] {
  const table = id.replaceAll('-', '_');
  const constant = propertyOf(table, 'rows');
  const entityConstant = classOf(table);
  const main = {
    table: isReserved(table) ? `${table}_row` : table,
    entityConstant: isFree(entityConstant) ? entityConstant : `${entityConstant}Row`,
    constant: isFree(constant) ? constant : `${constant}Calls`,
    title,
    apiPath: `/api/${id}`,
    fields,
  };
  return [
    ...emit({ id, title, main, isTree: false, details: undefined, menu: { path: `/${under}/${id}`, under } }),
    { path: `tests/plugins/${id}/samples.ts`, text: samplesFile(main) },
    { path: `tests/plugins/${id}/console/${id}-page.test.tsx`, text: consoleTestFile(id, main) },
  ];
}

/** Emits the samples, by which the check fills in forms and rows. */
const samplesFile = ({ constant, table }: EntityPlan): string =>
  [
    `import type { PluginSamples } from '#kit/server';\n\n/** Valid data for the check. \`{n}\` is a number that no other form has. */\nexport default {\n`,
    `  forms: { ${constant}: { name: 'Sample {n}', remark: 'Sample' } },\n  rows: [{ entity: ${quote(table)} }],\n} satisfies PluginSamples;\n`,
  ].join('');

/** Emits a test of the console half: its list shows a row. */
const consoleTestFile = (id: string, { entityConstant, constant }: EntityPlan): string =>
  [
    imports('@rstest/core', ['expect', 'test']),
    imports('@testing-library/react', ['screen']),
    imports('#kit/console', ['answer', 'createPluginHarness', 'pageOf', 'pluginContract', 'rowOf']),
    `import plugin from ${quote(`#plugins/${id}/console/plugin`)};\n`,
    imports(`#plugins/${id}/contract`, [entityConstant, constant]),
    imports(`#plugins/${id}/menus`, [`${constant}Menu`]),
    `\npluginContract(plugin);\n\ntest('the list shows the names of its rows', async () => {\n`,
    `  const answers = [answer(${constant}.list, pageOf(rowOf(${entityConstant}, { name: 'First' })))];\n`,
    `  const harness = await createPluginHarness(plugin, { answers });\n  await harness.open(${constant}Menu);\n`,
    `  expect(await screen.findByText('First')).toBeTruthy();\n});\n`,
  ].join('');
