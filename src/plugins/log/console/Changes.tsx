import { useTranslation } from '#kernel';
import type { LoggedChange } from '#shared/api-log';
import { differencesOf } from './differences.ts';
import { changeMessages } from './messages.ts';
import './log.css';

const verbs = { added: changeMessages.added, changed: changeMessages.changed, removed: changeMessages.removed };

/** Renders the rows a write changed, each field with its value before and after. */
export function Changes({ changes }: { readonly changes: readonly LoggedChange[] }) {
  return changes.map((change) => <Change key={`${change.entity} ${change.id}`} change={change} />);
}

function Change({ change }: { readonly change: LoggedChange }) {
  const t = useTranslation();
  const { verb, fields, untouched } = differencesOf(change);
  return (
    <table className="log-change">
      <caption>
        {t(verbs[verb])} {change.entity} <code>{change.id}</code>
      </caption>
      <thead>
        <tr>
          <th scope="col">{t(changeMessages.field)}</th>
          <th scope="col">{t(changeMessages.before)}</th>
          <th scope="col">{t(changeMessages.after)}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{before !== undefined && <del>{before}</del>}</td>
            <td>{after !== undefined && <ins>{after}</ins>}</td>
          </tr>
        ))}
      </tbody>
      {untouched > 0 && (
        <tfoot>
          <tr>
            <td colSpan={3}>{t(changeMessages.untouched, { count: untouched })}</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}
