import { Input, Radio, Select, TreeSelect } from '@arco-design/web-react';
import { useId, useState } from 'react';
import { matchesSearch, usePinyin, useStore, useTranslation } from '#kernel';
import styles from './explain.module.css';
import { explainMessages } from './explain-messages.ts';
import type { ExplainStore } from './explain-store.ts';
import type { GrantBranch } from './grant-selection.ts';

/** Selects the user and the permission to explain; the explanation loads as soon as both are selected. */
export function ExplainForm({ store }: { readonly store: ExplainStore }) {
  const t = useTranslation();
  const { question, people, answer } = useStore(store, (state) => state);
  const [isCall, setIsCall] = useState(question.about.startsWith('/api/'));
  const [rowId, setRowId] = useState(question.rowId);
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
        placeholder={t(explainMessages.selectUser)}
        notFoundContent={<p className={styles.empty}>{t(explainMessages.notFound)}</p>}
        options={[...personOptions, ...selected]}
        value={question.userId}
        onSearch={(text) => store.findPeople(text)}
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
      {isCall ? <CallSelect id={ids.subject} store={store} /> : <EntrySelect id={ids.subject} store={store} />}
      <label htmlFor={ids.row}>{t(explainMessages.row)}</label>
      <Input
        id={ids.row}
        allowClear
        placeholder={t(explainMessages.rowHelp)}
        value={rowId}
        onChange={(text) => setRowId(text.trim())}
        onBlur={() => rowId !== question.rowId && store.ask({ rowId })}
        onPressEnter={() => store.ask({ rowId })}
        onClear={() => store.ask({ rowId: '' })}
      />
    </form>
  );
}

interface SelectProps {
  readonly id: string;
  readonly store: ExplainStore;
}

function EntrySelect({ id, store }: SelectProps) {
  const t = useTranslation();
  const { question, entries, answer } = useStore(store, (state) => state);
  usePinyin();
  // The control keeps the first label of a value, so the value is passed only once its label is known.
  const name = answer?.subject.about === question.about ? t(answer.subject.name) : undefined;
  return (
    <TreeSelect
      id={id}
      aria-label={t(explainMessages.entries)}
      showSearch
      labelInValue
      placeholder={t(explainMessages.selectEntry)}
      notFoundContent={<p className={styles.empty}>{t(explainMessages.notFound)}</p>}
      treeData={entries.map(optionOf)}
      filterTreeNode={(typed, node) => matchesSearch(String(node.props.title), typed)}
      {...(name === undefined || question.about.startsWith('/api/') ? {} : { value: { value: question.about, label: name } })}
      key={name ?? ''}
      onChange={(selected: { value: string } | undefined) => store.ask({ about: selected?.value ?? '' })}
    />
  );
}

/** Number up to which calls are listed; a longer list is searched. */
const maxCalls = 50;

function CallSelect({ id, store }: SelectProps) {
  const t = useTranslation();
  const { question, calls } = useStore(store, (state) => state);
  const [typed, setTyped] = useState('');
  usePinyin(typed !== '');
  const options = calls.map(({ path, title }) => ({ value: path, label: `${title} · ${path}` }));
  const found = options.filter(({ label }) => matchesSearch(label, typed));
  return (
    <Select
      id={id}
      aria-label={t(explainMessages.call)}
      showSearch
      filterOption={false}
      placeholder={t(explainMessages.selectCall)}
      notFoundContent={<p className={styles.empty}>{t(explainMessages.notFound)}</p>}
      options={found.slice(0, maxCalls)}
      {...(question.about.startsWith('/api/') ? { value: question.about } : {})}
      onVisibleChange={(isOpen) => isOpen && calls.length === 0 && void store.loadCalls()}
      onSearch={setTyped}
      onChange={(about: string) => store.ask({ about })}
    />
  );
}

interface GrantOption {
  readonly key: string;
  readonly title: string;
  readonly children: GrantOption[];
}

const optionOf = ({ key, title, children = [] }: GrantBranch): GrantOption => ({ key, title, children: children.map(optionOf) });
