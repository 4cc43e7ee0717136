import { type Call, type Entity, listProperties, type Menu } from '#shared/contract';
import { DateTime, Id, Period, traitsOf } from '#shared/fields';
import { snakeCase } from '#shared/text';
import { PackageError } from '../../platform/packages/package-file.ts';
import type { ScreenCalls } from '../plugin-host/contributions.ts';
import type { PluginDescription } from './protocol.ts';
import type { StatementGuard } from './statement-guard.ts';

/** Regular expressions of the product's own fields. The server evaluates those of every contract, and one of a stranger could take it without end. */
const knownPatterns: ReadonlySet<string> = new Set(
  [Id(), DateTime({ title: ['', ''] }), Period({ title: ['', ''] }), listProperties.ids].map((schema) => String((schema as { pattern?: string }).pattern)),
);
/** Widgets of fields that contain links to files, which the server signs for every reader of the row. */
const fileWidgets: ReadonlySet<string | undefined> = new Set(['image', 'attachment']);

/** Throws a `PackageError` if a contained plugin declares more than it may: tables, paths, pages or names of others, or anything that could hold up the server. */
export async function checkDescription(description: PluginDescription, id: string, guard: StatementGuard): Promise<void> {
  if (description.id !== id) throw refused(`id ${description.id}`);
  const entities = new Set(description.repositories.map(({ entity }) => entity.name));
  for (const { entity, isTree } of description.repositories) {
    if (isTree) throw refused(`the tree ${entity.name}, whose rows are read all at once`);
    checkEntity(entity, entities, guard);
  }
  for (const menu of description.menus) checkMenu(menu, id);
  for (const declared of description.routes) {
    const calls = 'call' in declared ? [declared.call] : callsOf(declared.screen);
    for (const { path } of calls) if (!path.startsWith(`/api/${id}/`)) throw refused(`path ${path}, which must begin with /api/${id}/`);
    if ('screen' in declared && !entities.has(declared.screen.entity.name)) throw refused(`screen of ${declared.screen.entity.name}`);
  }
  for (const { name } of description.processors) if (!name.startsWith(`${id}:`)) throw refused(`processor ${name}`);
  for (const { key } of description.parameters) if (!key.startsWith(`${id}.`)) throw refused(`parameter ${key}`);
  for (const { code } of description.dictionaries) if (!isOwnName(code, id)) throw refused(`dictionary ${code}`);
  for (const seconds of description.tasks) if (!(seconds >= 1)) throw refused('a task more often than each second');
  checkPatterns(description);
  const conditions = [
    ...description.repositories.map(({ where }) => where),
    ...description.routes.map((one) => ('screen' in one ? one.exportWhere : undefined)),
  ];
  for (const condition of conditions) if (condition) await guard.assertCondition(condition.text);
}

function callsOf({ transitions = {}, ...screen }: ScreenCalls): Pick<Call, 'path'>[] {
  const own = Object.values(screen).flatMap((value) => (typeof value === 'object' && 'path' in value ? [value] : []));
  return [...own, ...Object.values(transitions)];
}

function checkEntity(entity: Entity, own: ReadonlySet<string>, guard: StatementGuard): void {
  if (!guard.owns(snakeCase(entity.name))) throw refused(`table ${snakeCase(entity.name)}`);
  for (const owner of Object.values(entity.belongsTo ?? {})) if (!own.has(owner.entity.name)) throw refused(`belongsTo ${owner.entity.name}`);
  for (const [name, schema] of Object.entries(entity.fields)) {
    const { widget, onDelete, reference } = traitsOf(schema) ?? {};
    if (fileWidgets.has(widget)) throw refused(`files in the field ${name}`);
    // Its rows would decide about the deletion of rows of others.
    if (onDelete === 'refuse' && !own.has(reference?.entity ?? '')) throw refused(`the field ${name}, which refuses the deletion of rows of others`);
  }
}

function checkMenu({ code, path, formerPaths = [], buttons = [] }: Menu, id: string): void {
  const codes = [code, ...buttons.flatMap((button) => (typeof button === 'string' ? [] : button.code))];
  for (const one of codes) if (!isOwnName(one, id)) throw refused(`code ${one}`);
  for (const one of [path, ...formerPaths]) if (one !== `/${id}` && !one.startsWith(`/${id}/`)) throw refused(`page ${one}`);
}

/** Tells whether a code is the id of the plugin, or begins with it as a word of its own. */
const isOwnName = (code: string, id: string): boolean => code === id || code.startsWith(`${id}-`) || code.startsWith(`${id}_`);

/** Looks for regular expressions anywhere in the description. */
function checkPatterns(value: unknown, seen = new Set<object>()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'patternProperties' || (name === 'pattern' && typeof inner === 'string' && !knownPatterns.has(inner)))
      throw refused(`the pattern ${String(inner)}`);
    checkPatterns(inner, seen);
  }
}

const refused = (what: string) => new PackageError([`隔离运行的插件不能声明：${what}`, `A contained plugin may not declare: ${what}.`]);
