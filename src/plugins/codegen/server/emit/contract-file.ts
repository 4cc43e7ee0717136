import { type Code, call, imports, literal, object, quoted, remark, written } from './code.ts';
import type { FieldPlan, PluginPlan, ThingPlan } from './plan.ts';

/** Emits the contract that both halves of a plugin share. */
export function contractFile(plan: PluginPlan): string {
  const things = [plan.main, ...(plan.details ? [plan.details] : [])];
  const fields = things.flatMap((thing) => thing.fields);
  const builders = ['Id', ...fields.map(({ builder }) => builder)];
  if (fields.some(({ isOptional }) => isOptional)) builders.push('Nullable');
  if (fields.some(({ isSeveral }) => isSeveral)) builders.push('MultiSelect');
  const kernel = ['crud', 'entity', ...(plan.isTree ? ['get', 'NoInput', 'TreeNode', 'TreeOf'] : [])];
  return [
    imports('#shared/contract', kernel),
    imports('#shared/fields', builders),
    ...things.map((thing) => `\n/** ${remark(thing.title[1])}. */\nexport const ${thing.className} = ${written(entityOf(thing))};\n`),
    ...things.map((thing) => `\nexport const ${thing.constant} = ${written(callsOf(thing, plan))};\n`),
  ].join('');
}

const entityOf = ({ table, fields }: ThingPlan): Code =>
  call('entity', quoted(table), object({ id: 'Id()', ...Object.fromEntries(fields.map((field) => [field.name, fieldOf(field)])) }, true));

function fieldOf({ builder, given, isSeveral, isOptional }: FieldPlan): Code {
  const plain = call(builder, literal(given));
  const listed = isSeveral ? call('MultiSelect', plain) : plain;
  return isOptional ? call('Nullable', listed) : listed;
}

function callsOf({ apiPath, className, table }: ThingPlan, { isTree, main }: PluginPlan): Code {
  if (table !== main.table) return call('crud', quoted(apiPath), className, object({ menu: quoted(main.table) }));
  if (!isTree) return call('crud', quoted(apiPath), className);
  const title = literal(['上级', 'Parent']);
  return object(
    {
      '...': call('crud', quoted(apiPath), className, object({ tree: 'true' })),
      choices: call('get', quoted(`${apiPath}/tree`), object({ title, access: quoted('signedIn'), input: 'NoInput', reply: 'TreeOf(TreeNode)' })),
    },
    true,
  );
}
