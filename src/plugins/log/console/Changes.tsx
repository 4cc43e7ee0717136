import { useWords } from '#kernel';
import type { LoggedChange } from '#shared/api-log';
import { differencesOf } from './differences.ts';
import { changeWords } from './words.ts';
import './log.css';

const verbs = { added: changeWords.added, changed: changeWords.changed, removed: changeWords.removed };

/** Renders the rows a write changed, each field with its value before and after. */
export function Changes({ changes }: { readonly changes: readonly LoggedChange[] }) {
  return changes.map((change) => <Change key={`${change.entity} ${change.id}`} change={change} />);
}

function Change({ change }: { readonly change: LoggedChange }) {
  const say = useWords();
  const { verb, fields, untouched } = differencesOf(change);
  return (
    <table className="log-change">
      <caption>
        {say(verbs[verb])} {change.entity} <code>{change.id}</code>
      </caption>
      <thead>
        <tr>
          <th scope="col">{say(changeWords.field)}</th>
          <th scope="col">{say(changeWords.before)}</th>
          <th scope="col">{say(changeWords.after)}</th>
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
            <td colSpan={3}>{say(changeWords.untouched, { count: untouched })}</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}
