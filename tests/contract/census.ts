import type { TObject } from 'typebox';
import { plugins as installed } from '#deployment/server';
import type { Call, Crud, Entity } from '#shared/contract';
import type { Menu } from '#shared/menu-entry';
import { testedPlugins } from '#tested-plugins';
import { isChecked } from '../support/checked-plugins.ts';

/** A call of a plugin, with its name in the contract. */
export interface NamedCall {
  readonly name: string;
  readonly call: Call;
}

/** Plugins of this deployment, whose contracts the tests know. */
const plugins = testedPlugins.filter(({ isListed }) => isListed);

const isCall = (value: unknown): value is Call => typeof value === 'object' && value !== null && 'method' in value && 'input' in value && 'reply' in value;
const isCrud = (value: unknown): value is Crud => typeof value === 'object' && value !== null && 'entity' in value && 'list' in value;
const isEntity = (value: unknown): value is Entity => typeof value === 'object' && value !== null && 'row' in value && 'form' in value && 'owner' in value;

/** Returns all calls, screens and entities in the contracts of the checked plugins; with `() => true`, of all plugins of this deployment. */
export function census(includes: (id: string) => boolean = isChecked): { calls: NamedCall[]; cruds: { name: string; crud: Crud }[]; entities: Entity[] } {
  return censusOf(plugins.filter(({ id }) => includes(id)));
}

/** Returns all calls, screens and entities in the contracts of every plugin of the tree, whether this deployment lists it or not. */
export const censusOfTree = () => censusOf(testedPlugins);

/** Returns the menu entries of every plugin of the tree: those that the server halves of this deployment offer, and those of the files `menus.ts` of other plugins. */
export function menusOfTree(): Menu[] {
  const isMenu = (value: unknown): value is Menu => typeof value === 'object' && value !== null && 'code' in value && 'path' in value && 'title' in value;
  const others = testedPlugins.filter(({ isListed }) => !isListed).flatMap(({ menus }) => Object.values(menus).filter(isMenu));
  return [...installed.flatMap(({ plugin }) => plugin.menus ?? []), ...others];
}

function censusOf(of: typeof testedPlugins) {
  const things = of.flatMap(({ id, contract }) => Object.entries(contract).map(([name, value]) => ({ name: `${id}.${name}`, value })));
  const cruds = things.flatMap(({ name, value }) => (isCrud(value) ? [{ name, crud: value }] : []));
  const lone = things.flatMap(({ name, value }) => (isCall(value) ? [{ name, call: value }] : []));
  const within = cruds.flatMap(({ name, crud }) =>
    Object.entries({ ...crud, ...crud.transitions }).flatMap(([verb, value]) => (isCall(value) ? [{ name: `${name}.${verb}`, call: value }] : [])),
  );
  const once = new Map([...within, ...lone].map((named) => [named.call, named]));
  return {
    calls: [...once.values()],
    cruds: cruds.filter(({ crud }) => crud.detail && crud.remove && crud.list.path.endsWith('/list')),
    entities: things.flatMap(({ value }) => (isEntity(value) ? [value] : [])),
  };
}

/** Returns every reading call of the checked plugins, at any depth of their contracts. */
export function readingCalls(): NamedCall[] {
  const found = new Map<Call, string>();
  const look = (name: string, value: unknown): void => {
    if (isCall(value)) {
      if (value.method === 'GET' && !found.has(value)) found.set(value, name);
    } else if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
      for (const [part, inner] of Object.entries(value)) look(`${name}.${part}`, inner);
    }
  };
  for (const { id, contract } of plugins.filter(({ id }) => isChecked(id)))
    for (const [name, value] of Object.entries(contract)) if (!isEntity(value)) look(`${id}.${name}`, value);
  return [...found].map(([call, name]) => ({ name, call }));
}

/** Returns every screen of the checked plugins whose rows can be exported, at any depth of the contracts. */
export function exportedScreens(): { name: string; crud: Crud }[] {
  const found = new Map<Crud, string>();
  const look = (name: string, value: unknown): void => {
    if (isCrud(value) && value.export && !found.has(value)) found.set(value, name);
    if (typeof value !== 'object' || value === null || isCall(value) || isEntity(value) || Object.getPrototypeOf(value) !== Object.prototype) return;
    for (const [part, inner] of Object.entries(value)) look(`${name}.${part}`, inner);
  };
  for (const { id, contract } of plugins.filter(({ id }) => isChecked(id))) for (const [name, value] of Object.entries(contract)) look(`${id}.${name}`, value);
  return [...found].map(([crud, name]) => ({ name, crud }));
}

/** An entity with the call that adds and updates its rows. */
export interface EditedEntity {
  readonly name: string;
  readonly entity: Entity;
  readonly submit: Call;
}

/** Returns every entity of the checked plugins whose rows have a version and can be edited, with the call that saves them. */
export function editedEntities(): EditedEntity[] {
  const found = new Map<Call, EditedEntity>();
  const look = (name: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null || isCall(value) || isEntity(value) || Object.getPrototypeOf(value) !== Object.prototype) return;
    const { entity, submit } = value as { entity?: unknown; submit?: unknown };
    if (isEntity(entity) && isCall(submit) && 'version' in entity.form.properties && 'id' in ((submit.input as Partial<TObject>).properties ?? {}))
      found.set(submit, { name, entity, submit });
    for (const [part, inner] of Object.entries(value)) look(`${name}.${part}`, inner);
  };
  for (const { id, contract } of plugins.filter(({ id }) => isChecked(id))) for (const [name, value] of Object.entries(contract)) look(`${id}.${name}`, value);
  return [...found.values()];
}
