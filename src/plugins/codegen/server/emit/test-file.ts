import { imports, literal, quoted, written } from './code.ts';
import type { PluginPlan } from './plan.ts';

/** Emits a test of the plugin: it checks the server half against the contract, and adds, finds, changes and removes a row. */
export function testFile({ id, main, isTree }: PluginPlan): string {
  const given = main.fields.filter(({ given: { form } }) => form !== false);
  const form = Object.fromEntries(given.map(({ name, sample }) => [name, sample]));
  const at = (call: string) => quoted(`${main.apiPath}/${call}`);
  const count = isTree ? 'data' : 'data.records';
  return [
    imports('@rstest/core', ['expect', 'test']),
    imports('#kit/server', ['createServerHarness', 'serverContract']),
    `import * as contract from ${quoted(`#plugins/${id}/contract`)};\n`,
    `\nconst form = ${written(literal(form), 0, 13, 1)};\n\nserverContract(${quoted(id)}, contract);\n\n`,
    `test('a row is added, found, changed and removed', async () => {\n  const server = await createServerHarness({ plugins: [${quoted(id)}] });\n  const headers = await server.signIn();\n`,
    `  const added = await server.post(${at('submit')}, form, { headers });\n  expect(added).toMatchObject({ code: 200, data: form });\n`,
    `  expect((await server.get(${at('list')}, { headers })).${count}).toHaveLength(1);\n`,
    `  expect(await server.post(${at('submit')}, { ...form, id: added.data.id }, { headers })).toMatchObject({ code: 200 });\n`,
    `  expect(await server.post(${at('remove')}, { ids: [added.data.id] }, { headers })).toMatchObject({ code: 200 });\n});\n`,
  ].join('');
}
