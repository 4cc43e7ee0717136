import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@rstest/core';
import { upgraded, upgradeFolders } from '../../scripts/upgrades.mjs';
import { filesUnder } from '../architecture/source.ts';

const menus = `import { menu } from '#shared/contract';

export const lampMenu = menu({ code: 'lamp' });
`;

test('menus are imported from their new module, and the rest of an import stays', () => {
  expect(upgraded(menus, 'src/plugins/lamp/menus.ts').text).toBe(menus.replace('#shared/contract', '#shared/menu-entry'));
  const mixed = "import { crud, type Menu, menu } from '#shared/contract';\nimport { Id } from '#shared/fields';\n\nexport const a: Menu = menu(crud);\n";
  expect(upgraded(mixed, 'src/plugins/lamp/contract.ts').text).toBe(
    "import { crud } from '#shared/contract';\nimport { Id } from '#shared/fields';\nimport { type Menu, menu } from '#shared/menu-entry';\n\nexport const a: Menu = menu(crud);\n",
  );
});

test('an existing import is merged, and an import under another name keeps it', () => {
  const aliased = "import { menu as entry } from '#shared/contract';\nimport { codes } from '#shared/menu-entry';\n\nentry(codes);\n";
  expect(upgraded(aliased, 'src/plugins/lamp/menus.ts').text).toBe("import { codes, menu as entry } from '#shared/menu-entry';\n\nentry(codes);\n");
});

test('a test of a plugin takes its server from the kit, under the name it has there', () => {
  const before =
    "import { expect, test } from '@rstest/core';\nimport { testServer } from '../../../support/test-server.ts';\n\nconst server = await testServer({ plugins: ['lamp'] });\n";
  const after =
    "import { expect, test } from '@rstest/core';\nimport { createServerHarness } from '#kit/server';\n\nconst server = await createServerHarness({ plugins: ['lamp'] });\n";
  expect(upgraded(before, 'tests/plugins/lamp/server/lamp.test.ts')).toEqual({ text: after, titles: ['tests of plugins take their server from the kit'] });
  expect(upgraded(before, 'tests/server/lamp.test.ts').text).toBe(before);
});

test('renamed exports are renamed in a module, several to one, and those of the same name from elsewhere stay', () => {
  const before =
    "import { Array as List, Optional as Omissible } from 'typebox';\nimport { useText, useWords } from '#kernel';\nimport { Optional, Text, Whole } from '#shared/fields';\n\nconst say = useWords();\nconst text = useText();\nexport const remark = Optional(Text(Whole));\nexport const ids = Omissible(List(remark));\n";
  expect(upgraded(before, 'src/plugins/lamp/console/remark.ts').text).toBe(
    "import { Array as List, Optional as Omissible } from 'typebox';\nimport { useTranslation } from '#kernel';\nimport { Text, Nullable, Integer } from '#shared/fields';\n\nconst say = useTranslation();\nconst text = useTranslation();\nexport const remark = Nullable(Text(Integer));\nexport const ids = Omissible(List(remark));\n",
  );
});

test('properties are renamed where a plugin or a contract declares them, and nowhere else', () => {
  const plugin = "export default definePlugin({ id: 'lamp', needs: ['base'],\n  wants: [],\n  fills: [needs(1)],\n});\n";
  expect(upgraded(plugin, 'src/plugins/lamp/console/plugin.ts').text).toBe(
    "export default definePlugin({ id: 'lamp', dependencies: ['base'],\n  optionalDependencies: [],\n  contributions: [needs(1)],\n});\n",
  );
  const contract = "export const light = post('/light', { who: { code: 'lamp' } });\n";
  expect(upgraded(contract, 'src/plugins/lamp/lamp-contract.ts').text).toBe(contract.replace('who', 'access'));
  expect(upgraded(contract, 'src/plugins/lamp/server/light.ts').text).toBe(contract);
});

test('routes of a server plugin become setup, which returns its contributions, and its helpers return routes', () => {
  const plugin = `import { defineServerPlugin, repositoryOf } from '#server';
import { serveLights } from './lights.ts';

export default defineServerPlugin({
  id: 'lamp',
  parameterDeclarations: lampParameters,

  routes(context) {
    const { serveCrud, db, every } = context;
    const lamps = repositoryOf(db, Lamp);
    serveCrud(lamp, lamps);
    serveLights(context);
    every(60, () => lamps.tick());
    context.jobs.processor('lamp:put-out', putOut(lamps));
    context.extend(TaskPoints);
  },
});
`;
  expect(
    upgraded(plugin, 'src/plugins/lamp/server/plugin.ts').text.replace(/^ +/gm, ''),
  ).toBe(`import { defineServerPlugin, repositoryOf, crudRoutes } from '#server';
import { lightRoutes } from './lights.ts';

export default defineServerPlugin({
id: 'lamp',
parameters: lampParameters,

extensions: [TaskPoints],
setup(context) {
const { db } = context;
const lamps = repositoryOf(db, Lamp);

return {
routes: [
crudRoutes(lamp, lamps),
...lightRoutes(context),
],
tasks: [
{ everySeconds: 60, run: () => lamps.tick() },
],
processors: {
'lamp:put-out': putOut(lamps),
},
};
},
});
`);
  const helper = `import { type ServerContext } from '#server';

export function serveLights({ serve, db }: ServerContext): void {
  serve(light, async () => {
    await on(db);
  });
}
`;
  expect(
    upgraded(helper, 'src/plugins/lamp/server/lights.ts').text.replace(/^ +/gm, ''),
  ).toBe(`import { type ServerContext, route, type PluginRoute } from '#server';

export function lightRoutes({ db }: ServerContext): PluginRoute[] {
return [
route(light, async () => {
await on(db);
}),
];
}
`);
});

test('up-to-date files stay unchanged, and every plugin of this repository is up to date', () => {
  const { text } = upgraded(menus, 'src/plugins/lamp/menus.ts');
  expect(upgraded(text, 'src/plugins/lamp/menus.ts')).toEqual({ text, titles: [] });
  expect(filesUnder('src/plugins').flatMap(({ path, text: own }) => (upgraded(own, path).titles.length > 0 ? [path] : []))).toEqual([]);
});

test('a folder is upgraded; a dry run only lists the changes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-upgrade-'));
  try {
    mkdirSync(join(folder, 'console'));
    writeFileSync(join(folder, 'menus.ts'), menus);
    writeFileSync(join(folder, 'console/plugin.ts'), "import { lampMenu } from '../menus.ts';\n");
    expect(upgradeFolders([folder], true)).toHaveLength(1);
    expect(readFileSync(join(folder, 'menus.ts'), 'utf8')).toBe(menus);
    expect(upgradeFolders([folder])).toHaveLength(1);
    expect(readFileSync(join(folder, 'menus.ts'), 'utf8')).toContain('#shared/menu-entry');
    expect(upgradeFolders([folder])).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
