import { type Code, call, escapeComment, imports, literal, object, printCode, quote } from './code.ts';
import { consoleFile, menusFile, nounsFile, pageFile, serverFile } from './halves.ts';
import { migrationFile } from './migration-file.ts';
import type { EmittedFile, EntityPlan, FieldPlan, PluginPlan } from './plan.ts';

/** Emits the contract that both halves of a plugin share. */
function contractFile(plan: PluginPlan): string {
  const entityPlans = [plan.main, ...(plan.details ? [plan.details] : [])];
  const fields = entityPlans.flatMap((entityPlan) => entityPlan.fields);
  const builders = ['Id', ...fields.map(({ builder }) => builder)];
  if (fields.some(({ isOptional }) => isOptional)) builders.push('Nullable');
  if (fields.some(({ isMultiple }) => isMultiple)) builders.push('MultiSelect');
  const kernel = ['crud', 'entity', ...(plan.isTree ? ['get', 'NoInput', 'TreeNode', 'TreeOf'] : [])];
  return [
    imports('#shared/contract', kernel),
    imports('#shared/fields', builders),
    ...entityPlans.map(
      (entityPlan) => `\n/** ${escapeComment(entityPlan.title[1])}. */\nexport const ${entityPlan.entityConstant} = ${printCode(entityOf(entityPlan))};\n`,
    ),
    ...entityPlans.map((entityPlan) => `\nexport const ${entityPlan.constant} = ${printCode(callsOf(entityPlan, plan))};\n`),
  ].join('');
}

const entityOf = ({ table, fields }: EntityPlan): Code =>
  call('entity', quote(table), object({ id: 'Id()', ...Object.fromEntries(fields.map((field) => [field.name, fieldOf(field)])) }, true));

function fieldOf({ builder, traits, isMultiple, isOptional }: FieldPlan): Code {
  const plain = call(builder, literal(traits));
  const listed = isMultiple ? call('MultiSelect', plain) : plain;
  return isOptional ? call('Nullable', listed) : listed;
}

function callsOf({ apiPath, entityConstant, table }: EntityPlan, { isTree, main }: PluginPlan): Code {
  if (table !== main.table) return call('crud', quote(apiPath), entityConstant, object({ menu: quote(main.table) }));
  if (!isTree) return call('crud', quote(apiPath), entityConstant);
  const title = literal(['上级', 'Parent']);
  return object(
    {
      '...': call('crud', quote(apiPath), entityConstant, object({ tree: 'true' })),
      choices: call('get', quote(`${apiPath}/tree`), object({ title, access: quote('signedIn'), input: 'NoInput', reply: 'TreeOf(TreeNode)' })),
    },
    true,
  );
}

/** Emits a complete plugin: contract, menu, both halves, tables and a test. */
export function emit(plan: PluginPlan): EmittedFile[] {
  const folder = `src/plugins/${plan.id}`;
  return [
    { path: `${folder}/contract.ts`, text: contractFile(plan) },
    { path: `${folder}/menus.ts`, text: menusFile(plan) },
    { path: `${folder}/server/plugin.ts`, text: serverFile(plan) },
    { path: `${folder}/server/migrations/0001-${plan.id}.sql`, text: migrationFile(plan) },
    { path: `${folder}/console/plugin.ts`, text: consoleFile(plan) },
    { path: `${folder}/console/nouns.ts`, text: nounsFile(plan) },
    { path: `${folder}/console/${plan.main.entityConstant}Page.tsx`, text: pageFile(plan) },
    { path: `tests/plugins/${plan.id}/server/${plan.id}.test.ts`, text: testFile(plan) },
  ];
}

/** Emits a test of the plugin: it checks the server half against the contract, and adds, finds, changes and removes a row. */
function testFile({ id, main, isTree }: PluginPlan): string {
  const formFields = main.fields.filter(({ traits: { form } }) => form !== false);
  const form = Object.fromEntries(formFields.map(({ name, sample }) => [name, sample]));
  const at = (call: string) => quote(`${main.apiPath}/${call}`);
  const count = isTree ? 'data' : 'data.records';
  return [
    imports('@rstest/core', ['expect', 'test']),
    imports('#kit/server', ['createServerHarness', 'serverContract']),
    `import * as contract from ${quote(`#plugins/${id}/contract`)};\n`,
    `\nconst form = ${printCode(literal(form), 0, 13, 1)};\n\nserverContract(${quote(id)}, contract);\n\n`,
    `test('a row is added, found, changed and removed', async () => {\n  const server = await createServerHarness({ plugins: [${quote(id)}] });\n  const headers = await server.signIn();\n`,
    `  const added = await server.post(${at('submit')}, form, { headers });\n  expect(added).toMatchObject({ code: 200, data: form });\n`,
    `  expect((await server.get(${at('list')}, { headers })).${count}).toHaveLength(1);\n`,
    `  expect(await server.post(${at('submit')}, { ...form, id: added.data.id }, { headers })).toMatchObject({ code: 200 });\n`,
    `  expect(await server.post(${at('remove')}, { ids: [added.data.id] }, { headers })).toMatchObject({ code: 200 });\n});\n`,
  ].join('');
}
