import type { TSchema } from 'typebox';
import { maskedFieldOf, type PersonalAccess } from '#shared/entity';
import { maskedKindOf } from '#shared/fields';
import { type MaskedKind, maskPersonal } from '#shared/personal';

interface MaskedSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly personal?: PersonalAccess;
  readonly items?: TSchema & MaskedSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
}

/** Positions of the values to mask in the values of a schema. A schema without any has no plan. */
interface MaskPlan {
  /** Field with the user whom the row is about. */
  readonly person: string | undefined;
  readonly fields: readonly (readonly [name: string, kind: MaskedKind, code: string | undefined])[];
  readonly nested: readonly (readonly [name: string, plan: MaskPlan])[];
  readonly items: MaskPlan | undefined;
  /** True if the field `children` has values of the same schema. */
  readonly isTree: boolean;
}

/** User who receives a reply. */
export interface Viewer {
  readonly userId: string;
  /** Tests whether the reply contains values unmasked that otherwise only the button with this code shows. */
  mayRead(code: string | undefined): boolean;
}

const plans = new WeakMap<TSchema, MaskPlan | 'none'>();

/** Masks the personal data in a reply according to its schema, at any depth. Users see the rows about themselves without a mask. */
export function withMaskedPersonal<Value>(schema: TSchema, value: Value, viewer: Viewer): Value {
  const plan = planOf(schema);
  return plan ? (maskBy(plan, value, viewer) as Value) : value;
}

function planOf(schema: TSchema): MaskPlan | undefined {
  const cached = plans.get(schema);
  if (cached) return cached === 'none' ? undefined : cached;
  const plan = buildPlan(schema as TSchema & MaskedSchema);
  plans.set(schema, plan ?? 'none');
  return plan;
}

function buildPlan({ personal, items, properties = {} }: MaskedSchema): MaskPlan | undefined {
  const entries = Object.entries(properties);
  const fields = entries.flatMap(([name, property]): [string, MaskedKind, string | undefined][] => {
    const kind = maskedKindOf(property);
    return kind ? [[name, kind, maskedFieldOf(property)?.code]] : [];
  });
  const nested = entries.flatMap(([name, property]): [string, MaskPlan][] => {
    const plan = maskedKindOf(property) || (property as MaskedSchema).items?.$ref !== undefined ? undefined : planOf(property);
    return plan ? [[name, plan]] : [];
  });
  const itemPlan = items && items.$ref === undefined ? planOf(items) : undefined;
  if (fields.length === 0 && nested.length === 0 && !itemPlan) return undefined;
  return { person: personal?.person, fields, nested, items: itemPlan, isTree: (properties.children as MaskedSchema | undefined)?.items?.$ref !== undefined };
}

function maskBy(plan: MaskPlan, value: unknown, viewer: Viewer): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const { items } = plan;
    return items ? value.map((item) => maskBy(items, item, viewer)) : value;
  }
  const row = value as Record<string, unknown>;
  const { person, fields, nested, isTree } = plan;
  const isOwn = person !== undefined && viewer.userId !== '' && String(row[person]) === viewer.userId;
  const copy: Record<string, unknown> = { ...row };
  for (const [name, kind, code] of fields) if (name in row && !isOwn && !viewer.mayRead(code)) copy[name] = maskValue(kind, row[name]);
  for (const [name, inner] of nested) if (name in row) copy[name] = maskBy(inner, row[name], viewer);
  if (isTree && Array.isArray(row.children)) copy.children = row.children.map((child) => maskBy(plan, child, viewer));
  return copy;
}

function maskValue(kind: MaskedKind, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => maskValue(kind, one));
  return typeof value === 'string' ? maskPersonal(kind, value) : value;
}
