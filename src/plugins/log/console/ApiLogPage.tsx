import { ChangeTable, CrudPage, useTranslation } from '#kernel';
import type { LoggedChange } from '#shared/api-log';
import { isEmpty } from '#shared/text';
import { apiLog } from '../contract.ts';
import { apiLogMenu } from '../menus.ts';
import { DestinationNotice } from './DestinationNotice.tsx';
import { JsonBlock } from './JsonBlock.tsx';
import { changeMessages, logMessages } from './messages.ts';

/** One changed field; a side without a value is `undefined`. */
interface FieldDifference {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Compares a row before and after a write field by field. Fields that are empty on both sides and audit fields are left out. */
export function differencesOf({ before, after }: LoggedChange): { verb: 'added' | 'changed' | 'removed'; fields: FieldDifference[]; unchanged: number } {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((name) => !auditFields.has(name));
  const values = names.map((name) => ({ name, before: textOf(before?.[name]), after: textOf(after?.[name]) }));
  const fields = values.filter((field) => field.before !== field.after);
  const unchanged = values.filter((field) => field.before === field.after && field.before !== undefined).length;
  return { verb: before ? (after ? 'changed' : 'removed') : 'added', fields, unchanged };
}

/** Audit fields the server sets on every write. */
const auditFields: ReadonlySet<string> = new Set(['id', 'createUser', 'createDept', 'createTime', 'updateUser', 'updateTime', 'isDeleted']);

function textOf(value: unknown): string | undefined {
  if (isEmpty(value)) return undefined;
  return typeof value === 'object' ? JSON.stringify(value, undefined, 1) : String(value);
}

const verbs = { added: changeMessages.added, changed: changeMessages.changed, removed: changeMessages.removed };

/** Renders the rows a write changed, each field with its value before and after. */
function Changes({ changes }: { readonly changes: readonly LoggedChange[] }) {
  return changes.map((change) => <Change key={`${change.entity} ${change.id}`} change={change} />);
}

function Change({ change }: { readonly change: LoggedChange }) {
  const t = useTranslation();
  const { verb, fields, unchanged } = differencesOf(change);
  return (
    <ChangeTable
      caption={
        <>
          {t(verbs[verb])} {change.entity} <code>{change.id}</code>
        </>
      }
      headings={[t(changeMessages.field), t(changeMessages.before), t(changeMessages.after)]}
      rows={fields.map(({ name, before, after }) => ({
        name,
        title: name,
        before: before !== undefined && <del>{before}</del>,
        after: after !== undefined && <ins>{after}</ins>,
      }))}
      note={unchanged > 0 ? t(changeMessages.unchanged, { count: unchanged }) : undefined}
    />
  );
}

export default function ApiLogPage() {
  return (
    <>
      <DestinationNotice log={apiLog} />
      <CrudPage
        crud={apiLog}
        title={apiLogMenu.title}
        empty={{ title: logMessages.noCalls, hint: logMessages.noCallsHint }}
        presentation="drawer"
        formWidth={860}
        columns={{
          params: { render: ({ params }) => <JsonBlock json={params} /> },
          changes: { render: ({ changes }) => changes && changes.length > 0 && <Changes changes={changes} /> },
        }}
      />
    </>
  );
}
