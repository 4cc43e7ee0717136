import { Button, Modal } from '@arco-design/web-react';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { type ActingChoices, oauth } from '#shared/auth';
import { useService } from '../../base/react/services.tsx';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { Http } from '../../platform/http/http.ts';
import type { TextKey } from '../../platform/i18n/texts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Session } from '../../platform/session/session.ts';
import { adaptArco } from '../../ui/arco/arco-adapter.ts';
import { NamedSelect } from '../../ui/primitives/NamedSelect.tsx';
import { TabStore } from '../tabs/tab-store.ts';
import styles from './ActingDialog.module.css';

adaptArco();

type Part = 'dept' | 'role';
const parts = ['dept', 'role'] as const;
const required: Readonly<Record<Part, TextKey>> = { dept: 'acting.chooseDept', role: 'acting.chooseRole' };
const nobody: ActingChoices = { depts: [], roles: [] };

/** Selects one of several departments and roles to act as; open pages close, because the new role may not see their data. */
export default function ActingDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslation();
  const choices = useChoices();
  const user = useService(Session).user;
  const [chosen, setChosen] = useState<Partial<Record<Part, string>>>({ ...alone('dept', user?.dept_id), ...alone('role', user?.role_id) });
  const [isAsked, setIsAsked] = useState(false);
  const { isBusy, act } = useActing(onClose);
  const lists = { dept: choices?.depts ?? [], role: choices?.roles ?? [] };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsAsked(true);
    const { dept, role } = chosen;
    const nameOf = (part: Part) => lists[part].find(({ id }) => id === chosen[part])?.name ?? '';
    if (dept && role) void act({ deptId: dept, roleId: role }, { dept: nameOf('dept'), role: nameOf('role') });
  };

  return (
    <Modal visible className={styles.dialog ?? ''} title={t('acting.title')} maskClosable={false} onCancel={onClose} footer={null}>
      <form className={styles.form} noValidate onSubmit={submit} aria-busy={isBusy || !choices}>
        <p className={styles.explanation}>{t(choices ? 'acting.explanation' : 'acting.loading')}</p>
        {parts.map((part) => (
          <Choice
            key={part}
            name={t(`acting.${part}`)}
            hint={t(required[part])}
            options={lists[part]}
            value={chosen[part]}
            isWrong={isAsked && !chosen[part]}
            onChange={(id) => setChosen((before) => ({ ...before, [part]: id }))}
          />
        ))}
        <div className={styles.buttons}>
          <Button onClick={onClose}>{t('acting.cancel')}</Button>
          <Button type="primary" htmlType="submit" loading={isBusy} disabled={!choices}>
            {t('acting.confirm')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly hint: string;
  readonly options: readonly { readonly id: string; readonly name: string }[];
  readonly value: string | undefined;
  readonly isWrong: boolean;
  readonly onChange: (id: string) => void;
}

function Choice({ name, hint, options, value, isWrong, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className={styles.choice}>
      <span className={styles.name} aria-hidden="true">
        {name}
      </span>
      <NamedSelect
        name={name}
        value={value}
        required
        placeholder={hint}
        describedBy={isWrong ? id : undefined}
        {...(isWrong ? { status: 'error' as const } : {})}
        options={options.map((option) => ({ label: option.name, value: option.id }))}
        getPopupContainer={(node) => node.closest('form') ?? document.body}
        onChange={onChange}
      />
      <p id={id} className={styles.problem} aria-live="polite">
        {isWrong ? hint : ''}
      </p>
    </div>
  );
}

/** Fetches the departments and roles to choose from; `undefined` until the server has answered. */
function useChoices(): ActingChoices | undefined {
  const http = useService(Http);
  const [choices, setChoices] = useState<ActingChoices>();
  useEffect(() => {
    const leaving = new AbortController();
    http.send(oauth.userInfo, {}, { signal: leaving.signal }).then(
      (answer) => setChoices((answer.success ? answer.data.choices : undefined) ?? nobody),
      () => leaving.signal.aborted || setChoices(nobody),
    );
    return () => leaving.abort();
  }, [http]);
  return choices;
}

/** Closes all tabs, which unsaved changes may prevent, and then switches to the selected department and role. */
function useActing(onDone: () => void) {
  const t = useTranslation();
  const session = useService(Session);
  const tabs = useService(TabStore);
  const toasts = useService(Toasts);
  const [isBusy, setIsBusy] = useState(false);
  const act = async (chosen: { deptId: string; roleId: string }, names: { dept: string; role: string }) => {
    if (isBusy || !(await tabs.closeAll())) return;
    setIsBusy(true);
    const isDone = await session.actAs(chosen).catch(() => false);
    setIsBusy(false);
    if (!isDone) return toasts.error(t('acting.failed'));
    toasts.success(t('acting.switched', names));
    onDone();
  };
  return { isBusy, act };
}

/** Returns the current department or role where it is a single one. */
function alone<Name extends Part>(part: Name, ids = ''): Partial<Record<Name, string>> {
  return (ids !== '' && !ids.includes(',') ? { [part]: ids } : {}) as Partial<Record<Name, string>>;
}
