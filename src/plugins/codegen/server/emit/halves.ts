import { array, escapeComment, imports, literal, object, printCode, quote } from './code.ts';
import type { EntityPlan, PluginPlan } from './plan.ts';

/** Emits the menu entry. */
export function menusFile({ main, menu, title }: PluginPlan): string {
  const entry = object(
    {
      code: quote(main.table),
      title: literal(title),
      path: quote(menu.path),
      under: quote(menu.under),
      icon: quote('list'),
      buttons: literal(['add', 'edit', 'delete', 'view', 'export', 'import']),
    },
    true,
  );
  return `${imports('#shared/menu-entry', ['menu'])}\nexport const ${menuName(main)} = menu(${printCode(entry)});\n`;
}

/** Emits the server half's `plugin.ts`. */
export function serverFile(plan: PluginPlan): string {
  const { main, details, isTree, id, title } = plan;
  const entityPlans = [main, ...(details ? [details] : [])];
  const repository = (entityPlan: EntityPlan) => (isTree && entityPlan === main ? 'treeRepositoryOf' : 'repositoryOf');
  const repositories = entityPlans.map((entityPlan) => {
    const unique = entityPlan.fields.filter(({ isUnique }) => isUnique).map(({ name }) => object({ fields: array(quote(name)) }));
    const options = unique.length > 0 ? `, ${printCode(object({ unique: array(...unique) }), 4, 60)}` : '';
    return `${repository(entityPlan)}(db, ${entityPlan.entityConstant}${options})`;
  });
  const routes = isTree
    ? [`crudRoutes(${main.constant}, rows)`, `route(${main.constant}.choices, async () => nodesOf(await rows.list(), ${quote(nameField(main))}))`]
    : entityPlans.map((entityPlan, index) => `crudRoutes(${entityPlan.constant}, ${repositories[index]})`);
  const kernel = ['crudRoutes', 'defineServerPlugin', ...entityPlans.map(repository), ...(isTree ? ['nodesOf', 'route'] : [])];
  return [
    imports('#server', kernel),
    imports(
      '../contract.ts',
      entityPlans.flatMap(({ entityConstant, constant }) => [entityConstant, constant]),
    ),
    imports('../menus.ts', [menuName(main)]),
    `\n/** ${escapeComment(title[1])}. */\nexport default defineServerPlugin({\n  id: ${quote(id)},\n  title: ${printCode(literal(title), 2, 9, 1)},\n  menus: [${menuName(main)}],\n\n`,
    `  setup({ db }) {\n${isTree ? `    const rows = ${repositories[0]};\n` : ''}    return ${printCode(object({ routes: array(...routes) }), 4, 11, 1)};\n  },\n});\n`,
  ].join('');
}

/** Emits the console half's `plugin.ts`. */
export const consoleFile = ({ main, id, title }: PluginPlan): string =>
  [
    imports('#kernel', ['definePlugin', 'page']),
    imports('../menus.ts', [menuName(main)]),
    `\n/** ${escapeComment(title[1])}. */\nexport default definePlugin({\n  id: ${quote(id)},\n  title: ${printCode(literal(title), 2, 9, 1)},\n`,
    `  pages: [page(${menuName(main)}, () => import('./${main.entityConstant}Page.tsx'))],\n});\n`,
  ].join('');

/** Emits the nouns of the plugin's records, for the titles of forms and delete questions, and the title of the panel of details. */
export function nounsFile({ main, details }: PluginPlan): string {
  const entityPlans = [main, ...(details ? [details] : [])];
  const nouns = object(Object.fromEntries(entityPlans.map(({ constant, title }) => [constant, literal(nounOf(title))])), true);
  const panel = details
    ? `\n/** Title of the panel of details. */\nexport const detailsTitle = ${printCode(literal(details.title), 0, 28, 10)} as const;\n`
    : '';
  return `/** Kinds of record in the titles of forms. */\nexport const nouns = ${printCode(nouns)} as const;\n${panel}`;
}

/** Guesses the noun of a list from its title: singular and, unless it is an abbreviation, in lower case. */
function nounOf([zh, en]: EntityPlan['title']): EntityPlan['title'] {
  const text = /^\S[A-Z]/.test(en) ? en : en.charAt(0).toLowerCase() + en.slice(1);
  return [zh, text.replace(/ies$/, 'y').replace(/(?<![ius])s$/, '')];
}

/** Emits the page. */
export function pageFile({ main, details, isTree }: PluginPlan): string {
  const { constant, entityConstant } = main;
  const nouns = imports('./nouns.ts', [...(details ? ['detailsTitle'] : []), 'nouns']);
  const head = (kernel: string[], names: string[]) =>
    imports('#kernel', ['CrudPage', ...kernel]) + imports('../contract.ts', names) + imports('../menus.ts', [menuName(main)]) + nouns;
  const attributes = [`crud={${constant}}`, `title={${menuName(main)}.title}`, `noun={nouns.${constant}}`];
  if (!details) {
    const parents = isTree ? [`parents={{ parentId: { call: ${constant}.choices } }}`] : [];
    return `${head([], [constant])}\nexport default function ${entityConstant}Page() {\n${screen([...attributes, ...parents], 2, 'return ', ';')}\n}\n`;
  }
  const rowAction = 'actions={{ row: [{ title: detailsTitle, onClick: ({ id }) => setOpened(id) }] }}';
  const ofDetails = [`crud={${details.constant}}`, 'title={detailsTitle}', `noun={nouns.${details.constant}}`, `filter={{ ${details.foreignKey}: opened }}`];
  return `import { useState } from 'react';
${head(['SidePanel', 'useTranslation'], [constant, details.constant])}
export default function ${entityConstant}Page() {
  const t = useTranslation();
  const [opened, setOpened] = useState<string>();
  return (
    <>
${screen([...attributes, rowAction], 6)}
      <SidePanel open={opened !== undefined} title={t(detailsTitle)} onClose={() => setOpened(undefined)}>
${screen(ofDetails, 8, '{opened && ', '}')}
      </SidePanel>
    </>
  );
}
`;
}

/** Formats a generic screen as the project's formatter does: on one line, or with one attribute per line. */
function screen(attributes: readonly string[], indent: number, before = '', after = ''): string {
  const pad = ' '.repeat(indent);
  const flat = `${pad}${before}<CrudPage ${attributes.join(' ')} />${after}`;
  if (flat.length <= 160) return flat;
  const inner = before === '' ? pad : `${pad}  `;
  const element = `${inner}<CrudPage\n${attributes.map((one) => `${inner}  ${one}\n`).join('')}${inner}/>`;
  return before === '' ? element : `${pad}${before}(\n${element}\n${pad})${after}`;
}

const menuName = ({ constant }: EntityPlan) => `${constant}Menu`;

/** Returns the field that names a row: the first text field. */
export const nameField = ({ fields }: Pick<EntityPlan, 'fields'>): string =>
  fields.find(({ builder }) => builder === 'Text')?.name ?? fields.find(({ name }) => name !== 'parentId')?.name ?? 'id';
