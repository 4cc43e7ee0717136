import type { SQL } from 'drizzle-orm';
import type { TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import type { RecordUse } from '#shared/record-uses';
import type { LocalizedText } from '#shared/text';
import { ByPlugin } from '../../base/by-plugin.ts';

/** A field whose values refer to rows of another entity, or to entries of a dictionary. */
export interface ReferenceField {
  readonly entity: Entity;
  readonly field: string;
  /** Field of the referenced row whose value is stored. */
  readonly targetField: string;
}

/** Uses of rows that no field of an entity declares, such as rows of a table without an entity. */
export interface DeclaredReference {
  /** Name of the referenced entity. */
  readonly entity: string;
  readonly title: LocalizedText;
  /** Counts the rows that refer to rows with these ids. */
  count(ids: readonly string[]): Promise<number>;
  /** Returns the list that shows the rows that refer to one row. */
  rows?(id: string): RecordUse['rows'];
}

/** Page that shows the rows of an entity. */
export interface EntityPage {
  readonly title: LocalizedText;
  readonly menu: string;
  /** Path of its list; undefined if it has none. */
  readonly list: string | undefined;
}

/** Returns the name under which fields refer to entries of a dictionary. */
export const dictionaryTarget = (code: string) => `dictionary ${code}`;

/** References between entities, registered when their repositories are created, and the pages of the referring rows. */
export class ReferenceRegistry {
  /** Fields by the target, the entity that has them and their name. Several entities can describe one table, each with a part of its fields. */
  private readonly fields = new Map<string, Map<string, Map<string, ReferenceField>>>();
  private readonly declared = new ByPlugin<DeclaredReference>();
  private readonly pages = new ByPlugin<readonly [entity: string, page: EntityPage]>();
  private readonly listCodes = new ByPlugin<readonly [entity: string, code: string]>();
  private readonly restrictions = new Map<string, () => SQL | undefined>();

  /** Registers the reference fields of an entity that refuse the deletion of the rows they refer to. */
  add(entity: Entity): void {
    for (const [field, schema] of Object.entries(entity.fields)) {
      const target = referenceTarget(schema);
      if (!target) continue;
      const entities = this.fields.get(target.name) ?? new Map<string, Map<string, ReferenceField>>();
      const fields = entities.get(entity.name) ?? new Map<string, ReferenceField>();
      fields.set(field, { entity, field, targetField: target.field });
      this.fields.set(target.name, entities.set(entity.name, fields));
    }
  }

  /** Adds a condition of the domain for the rows of an entity that references may show. */
  restrict(entity: string, where: () => SQL | undefined): void {
    this.restrictions.set(entity, where);
  }

  restrictionOf(entity: string): SQL | undefined {
    return this.restrictions.get(entity)?.();
  }

  declare(plugin: string, references: readonly DeclaredReference[]): void {
    this.declared.add(plugin, references);
  }

  /** Adds a page of an entity; the first page of an entity is its own. */
  addPage(plugin: string, entity: string, page: EntityPage): void {
    this.pages.add(plugin, [[entity, page]]);
  }

  pageOf(entity: string): EntityPage | undefined {
    return this.pages.all().find(([name]) => name === entity)?.[1];
  }

  /** Adds the code of a page that lists rows of an entity. */
  addListCode(plugin: string, entity: string, code: string): void {
    this.listCodes.add(plugin, [[entity, code]]);
  }

  /** Returns the codes of the pages that list rows of an entity. */
  listCodesOf(entity: string): ReadonlySet<string> {
    return new Set(this.listCodes.all().flatMap(([name, code]) => (name === entity ? [code] : [])));
  }

  /** Removes what a plugin has declared about its rows, with the references of its entities. */
  unregister(plugin: string, entities: ReadonlySet<string>): void {
    for (const registry of [this.declared, this.pages, this.listCodes]) registry.unregister(plugin);
    for (const fields of this.fields.values()) for (const entity of entities) fields.delete(entity);
    for (const entity of entities) this.restrictions.delete(entity);
  }

  /** Returns the fields that refer to a target, grouped by the entity that has them. */
  fieldsTo(target: string): readonly (readonly ReferenceField[])[] {
    return [...(this.fields.get(target)?.values() ?? [])].map((fields) => [...fields.values()]);
  }

  declaredFor(target: string): readonly DeclaredReference[] {
    return this.declared.all().filter(({ entity }) => entity === target);
  }
}

/** Returns the entity and the field that a reference leads to, if it refuses the deletion of what it refers to. */
export function referenceTarget(schema: TSchema): { name: string; field: string } | undefined {
  const { reference, onDelete, dictionary } = traitsOf(schema) ?? {};
  if (dictionary !== undefined && onDelete !== 'keep') return { name: dictionaryTarget(dictionary), field: 'dictKey' };
  if (onDelete !== 'refuse' || reference?.entity === undefined) return undefined;
  return { name: reference.entity, field: reference.entityField ?? 'id' };
}
