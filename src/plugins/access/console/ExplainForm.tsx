import { Input, Radio, Select, TreeSelect } from '@arco-design/web-react';
import { useId, useState } from 'react';
import { useStore, useWords } from '#kernel';
import styles from './explain.module.css';
import type { ExplainStore } from './explain-store.ts';
import { explainWords } from './explain-words.ts';
import type { GrantBranch } from './grant-selection.ts';

/** Selects the user and the permission to explain; the explanation loads as soon as both are selected. */
export function ExplainForm({ store }: { readonly store: ExplainStore }) {
  const say = useWords();
  const { asked, people, answer } = useStore(store, (state) => state);
  const [isCall, setIsCall] = useState(asked.about.startsWith('/api/'));
  const [rowId, setRowId] = useState(asked.rowId);
  const ids = { user: useId(), subject: useId(), row: useId() };
  const known = people.map(({ id, account, realName, deptName }) => ({ value: id, label: [realName, account, deptName].filter(Boolean).join(' · ') }));
  const chosen =
    answer && !known.some(({ value }) => value === answer.user.id) ? [{ value: answer.user.id, label: `${answer.user.name} · ${answer.user.account}` }] : [];
  return (
    <form className={styles.form} onSubmit={(event) => event.preventDefault()}>
      <label htmlFor={ids.user}>{say(explainWords.user)}</label>
      <Select
        id={ids.user}
        aria-label={say(explainWords.user)}
        showSearch
        filterOption={false}
        placeholder={say(explainWords.chooseUser)}
        notFoundContent={<p className={styles.empty}>{say(explainWords.notFound)}</p>}
        options={[...known, ...chosen]}
        value={asked.userId}
        onSearch={(text) => void store.findPeople(text)}
        onChange={(userId: string) => void store.ask({ userId })}
      />
      <fieldset className={styles.kinds}>
        <legend className="visually-hidden">{say(explainWords.subject)}</legend>
        <Radio.Group
          type="button"
          value={isCall}
          onChange={setIsCall}
          options={[
            { value: false, label: say(explainWords.entries) },
            { value: true, label: say(explainWords.call) },
          ]}
        />
      </fieldset>
      {isCall ? <CallChoice id={ids.subject} store={store} /> : <EntryChoice id={ids.subject} store={store} />}
      <label htmlFor={ids.row}>{say(explainWords.row)}</label>
      <Input
        id={ids.row}
        allowClear
        placeholder={say(explainWords.rowHelp)}
        value={rowId}
        onChange={(text) => setRowId(text.trim())}
        onBlur={() => rowId !== asked.rowId && void store.ask({ rowId })}
        onPressEnter={() => void store.ask({ rowId })}
        onClear={() => void store.ask({ rowId: '' })}
      />
    </form>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly store: ExplainStore;
}

function EntryChoice({ id, store }: ChoiceProps) {
  const say = useWords();
  const { asked, entries, answer } = useStore(store, (state) => state);
  // The control keeps the first label of a value, so the value is passed only once its label is known.
  const name = answer?.subject.about === asked.about ? say(answer.subject.name) : undefined;
  return (
    <TreeSelect
      id={id}
      aria-label={say(explainWords.entries)}
      showSearch
      labelInValue
      placeholder={say(explainWords.chooseEntry)}
      notFoundContent={<p className={styles.empty}>{say(explainWords.notFound)}</p>}
      treeData={entries.map(branchOf)}
      filterTreeNode={(typed, node) => String(node.props.title).toLowerCase().includes(typed.toLowerCase())}
      {...(name === undefined || asked.about.startsWith('/api/') ? {} : { value: { value: asked.about, label: name } })}
      key={name ?? ''}
      onChange={(picked: { value: string } | undefined) => void store.ask({ about: picked?.value ?? '' })}
    />
  );
}

function CallChoice({ id, store }: ChoiceProps) {
  const say = useWords();
  const { asked, calls } = useStore(store, (state) => state);
  return (
    <Select
      id={id}
      aria-label={say(explainWords.call)}
      showSearch
      filterOption={false}
      placeholder={say(explainWords.chooseCall)}
      notFoundContent={<p className={styles.empty}>{say(explainWords.notFound)}</p>}
      options={calls.map(({ path, title }) => ({ value: path, label: `${title} · ${path}` }))}
      {...(asked.about.startsWith('/api/') ? { value: asked.about } : {})}
      onVisibleChange={(isOpen) => isOpen && calls.length === 0 && void store.findCalls('')}
      onSearch={(text) => void store.findCalls(text)}
      onChange={(about: string) => void store.ask({ about })}
    />
  );
}

interface Branch {
  readonly key: string;
  readonly title: string;
  readonly children: Branch[];
}

const branchOf = ({ key, title, children = [] }: GrantBranch): Branch => ({ key, title, children: children.map(branchOf) });
