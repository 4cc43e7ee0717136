import { Input, Radio, Select, TreeSelect } from '@arco-design/web-react';
import { useId, useState } from 'react';
import { useStore, useTranslation } from '#kernel';
import styles from './explain.module.css';
import { explainMessages } from './explain-messages.ts';
import type { ExplainStore } from './explain-store.ts';
import type { GrantBranch } from './grant-selection.ts';

/** Selects the user and the permission to explain; the explanation loads as soon as both are selected. */
export function ExplainForm({ store }: { readonly store: ExplainStore }) {
  const t = useTranslation();
  const { asked, people, answer } = useStore(store, (state) => state);
  const [isCall, setIsCall] = useState(asked.about.startsWith('/api/'));
  const [rowId, setRowId] = useState(asked.rowId);
  const ids = { user: useId(), subject: useId(), row: useId() };
  const personOptions = people.map(({ id, account, realName, deptName }) => ({ value: id, label: [realName, account, deptName].filter(Boolean).join(' · ') }));
  const selected =
    answer && !personOptions.some(({ value }) => value === answer.user.id)
      ? [{ value: answer.user.id, label: `${answer.user.name} · ${answer.user.account}` }]
      : [];
  return (
    <form className={styles.form} onSubmit={(event) => event.preventDefault()}>
      <label htmlFor={ids.user}>{t(explainMessages.user)}</label>
      <Select
        id={ids.user}
        aria-label={t(explainMessages.user)}
        showSearch
        filterOption={false}
        placeholder={t(explainMessages.chooseUser)}
        notFoundContent={<p className={styles.empty}>{t(explainMessages.notFound)}</p>}
        options={[...personOptions, ...selected]}
        value={asked.userId}
        onSearch={(text) => void store.findPeople(text)}
        onChange={(userId: string) => store.ask({ userId })}
      />
      <fieldset className={styles.kinds}>
        <legend className="visually-hidden">{t(explainMessages.subject)}</legend>
        <Radio.Group
          type="button"
          value={isCall}
          onChange={setIsCall}
          options={[
            { value: false, label: t(explainMessages.entries) },
            { value: true, label: t(explainMessages.call) },
          ]}
        />
      </fieldset>
      {isCall ? <CallChoice id={ids.subject} store={store} /> : <EntryChoice id={ids.subject} store={store} />}
      <label htmlFor={ids.row}>{t(explainMessages.row)}</label>
      <Input
        id={ids.row}
        allowClear
        placeholder={t(explainMessages.rowHelp)}
        value={rowId}
        onChange={(text) => setRowId(text.trim())}
        onBlur={() => rowId !== asked.rowId && store.ask({ rowId })}
        onPressEnter={() => store.ask({ rowId })}
        onClear={() => store.ask({ rowId: '' })}
      />
    </form>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly store: ExplainStore;
}

function EntryChoice({ id, store }: ChoiceProps) {
  const t = useTranslation();
  const { asked, entries, answer } = useStore(store, (state) => state);
  // The control keeps the first label of a value, so the value is passed only once its label is known.
  const name = answer?.subject.about === asked.about ? t(answer.subject.name) : undefined;
  return (
    <TreeSelect
      id={id}
      aria-label={t(explainMessages.entries)}
      showSearch
      labelInValue
      placeholder={t(explainMessages.chooseEntry)}
      notFoundContent={<p className={styles.empty}>{t(explainMessages.notFound)}</p>}
      treeData={entries.map(branchOf)}
      filterTreeNode={(typed, node) => String(node.props.title).toLowerCase().includes(typed.toLowerCase())}
      {...(name === undefined || asked.about.startsWith('/api/') ? {} : { value: { value: asked.about, label: name } })}
      key={name ?? ''}
      onChange={(picked: { value: string } | undefined) => store.ask({ about: picked?.value ?? '' })}
    />
  );
}

function CallChoice({ id, store }: ChoiceProps) {
  const t = useTranslation();
  const { asked, calls } = useStore(store, (state) => state);
  return (
    <Select
      id={id}
      aria-label={t(explainMessages.call)}
      showSearch
      filterOption={false}
      placeholder={t(explainMessages.chooseCall)}
      notFoundContent={<p className={styles.empty}>{t(explainMessages.notFound)}</p>}
      options={calls.map(({ path, title }) => ({ value: path, label: `${title} · ${path}` }))}
      {...(asked.about.startsWith('/api/') ? { value: asked.about } : {})}
      onVisibleChange={(isOpen) => isOpen && calls.length === 0 && void store.findCalls('')}
      onSearch={(text) => void store.findCalls(text)}
      onChange={(about: string) => store.ask({ about })}
    />
  );
}

interface Branch {
  readonly key: string;
  readonly title: string;
  readonly children: Branch[];
}

const branchOf = ({ key, title, children = [] }: GrantBranch): Branch => ({ key, title, children: children.map(branchOf) });
