import type { TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { isSecret } from '#shared/entity';
import { type FieldTraits, traitsOf } from '#shared/fields';
import type { LocalizedText } from '#shared/text';
import type { Database } from '../../data/database/database.ts';
import { isHidden } from '../../data/repository/row-scope.ts';
import { ownershipOf } from './scope-rules.ts';

/** Field by which administrators limit the rows of an entity. */
export interface NamedScopeField {
  readonly path: string;
  readonly title: LocalizedText;
  readonly kind: 'reference' | 'options' | 'user' | 'department';
  /** Entity of the rows that it names. */
  readonly target?: string;
  readonly traits?: FieldTraits;
}

/**
 * Lists the fields by which rows of an entity are limited: the department and user they belong to, its references and options, and the references of the rows it belongs to. Fields
 * that are hidden from the actor are left out.
 */
export function namedScopeFields(db: Pick<Database, 'entities'>, entity: Entity): NamedScopeField[] {
  const { user, department } = ownershipOf(entity);
  const departments = departmentTraits(db);
  const fields: NamedScopeField[] = [
    ...references(entity, ''),
    { path: department, title: ['所属部门', 'Department'], kind: 'department', target: 'dept', ...(departments ? { traits: departments } : {}) },
    { path: user, title: /createUser$/.test(user) ? ['创建人', 'Created by'] : ['归属人', 'Owner'], kind: 'user', target: 'user_account' },
    ...Object.entries(entity.fields).flatMap(([name, schema]) => optionField(entity, name, schema)),
  ];
  return fields.filter(({ title: [zh] }, index) => fields.findIndex((other) => other.title[0] === zh || other.path === fields[index]?.path) === index);
}

/** Lists references of an entity, and those of the rows it belongs to. */
function references(entity: Entity, prefix: string): NamedScopeField[] {
  const own = Object.entries(entity.fields).flatMap(([name, schema]) => referenceField(entity, name, schema, prefix));
  const further = Object.entries(entity.belongsTo ?? {}).flatMap(([name, { entity: owner }]) =>
    isHidden(entity, name) ? [] : references(owner, `${prefix}${name}.`),
  );
  return [...own, ...further];
}

function referenceField(entity: Entity, name: string, schema: TSchema, prefix: string): NamedScopeField[] {
  const traits = traitsOf(schema);
  const target = traits?.reference?.entity;
  if (!traits || target === undefined || isSecret(schema) || isHidden(entity, name)) return [];
  if (traits.isCopied) return [];
  // A value that depends on other fields of a form cannot be picked alone.
  if (traits.reference?.inputFrom) return [];
  return [{ path: prefix + name, title: traits.title, kind: target === 'dept' ? 'department' : 'reference', target, traits }];
}

function optionField(entity: Entity, name: string, schema: TSchema): NamedScopeField[] {
  const traits = traitsOf(schema);
  if (!traits || isSecret(schema) || isHidden(entity, name) || traits.list === false) return [];
  const hasOptions = (traits.options?.length ?? 0) > 0 || traits.dictionary !== undefined;
  return hasOptions ? [{ path: name, title: traits.title, kind: 'options', traits }] : [];
}

/** Finds a field of any entity that picks a department from the tree of departments. */
function departmentTraits({ entities }: Pick<Database, 'entities'>): FieldTraits | undefined {
  for (const { fields } of entities.values())
    for (const schema of Object.values(fields)) {
      const traits = traitsOf(schema);
      if (traits?.reference?.entity === 'dept' && traits.reference.shape === 'tree') return traits;
    }
  return undefined;
}
