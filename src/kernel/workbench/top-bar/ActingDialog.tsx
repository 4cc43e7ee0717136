import { Button, Modal } from '@arco-design/web-react';
import { type FormEvent, useId, useState } from 'react';
import { type ActingChoices, oauth } from '#shared/auth';
import { useService } from '../../base/react/services.tsx';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useMutation } from '../../platform/http/use-mutation.ts';
import { useQuery } from '../../platform/http/use-query.ts';
import type { TextKey } from '../../platform/i18n/texts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Session } from '../../platform/session/session.ts';
import { adaptArco } from '../../ui/arco/arco-adapter.ts';
import { NamedSelect } from '../../ui/primitives/NamedSelect.tsx';
import { TabStore } from '../tabs/tab-store.ts';
import styles from './ActingDialog.module.css';

adaptArco();

type ActingPart = 'dept' | 'role';
const parts = ['dept', 'role'] as const;
const required: Readonly<Record<ActingPart, TextKey>> = { dept: 'roleSwitch.chooseDept', role: 'roleSwitch.chooseRole' };
const noChoices: ActingChoices = { depts: [], roles: [] };

/** Selects the department and the role to act as; open pages close, because the new role may not see their data. */
export default function ActingDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslation();
  const { data, isPending } = useQuery(oauth.userInfo, {});
  const choices = isPending ? undefined : (data?.choices ?? noChoices);
  const user = useService(Session).user;
  const [selected, setSelected] = useState<Partial<Record<ActingPart, string>>>({ ...singleId('dept', user?.dept_id), ...singleId('role', user?.role_id) });
  const [isSubmitted, setIsSubmitted] = useState(false);
  const { isPending: isBusy, mutate: act } = useActing(onClose);
  const lists = { dept: choices?.depts ?? [], role: choices?.roles ?? [] };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsSubmitted(true);
    const { dept, role } = selected;
    const nameOf = (part: ActingPart) => lists[part].find(({ id }) => id === selected[part])?.name ?? '';
    if (dept && role) void act({ target: { deptId: dept, roleId: role }, names: { dept: nameOf('dept'), role: nameOf('role') } });
  };

  return (
    <Modal visible className={styles.dialog ?? ''} title={t('roleSwitch.title')} maskClosable={false} onCancel={onClose} footer={null}>
      <form className={styles.form} noValidate onSubmit={submit} aria-busy={isBusy || !choices}>
        <p className={styles.explanation}>{t(choices ? 'roleSwitch.explanation' : 'roleSwitch.loading')}</p>
        {parts.map((part) => (
          <Choice
            key={part}
            name={t(`roleSwitch.${part}`)}
            hint={t(required[part])}
            options={lists[part]}
            value={selected[part]}
            isInvalid={isSubmitted && !selected[part]}
            onChange={(id) => setSelected((before) => ({ ...before, [part]: id }))}
          />
        ))}
        <div className={styles.buttons}>
          <Button onClick={onClose}>{t('roleSwitch.cancel')}</Button>
          <Button type="primary" htmlType="submit" loading={isBusy} disabled={!choices}>
            {t('roleSwitch.confirm')}
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
  readonly isInvalid: boolean;
  readonly onChange: (id: string) => void;
}

function Choice({ name, hint, options, value, isInvalid, onChange }: ChoiceProps) {
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
        describedBy={isInvalid ? id : undefined}
        {...(isInvalid ? { status: 'error' as const } : {})}
        options={options.map((option) => ({ label: option.name, value: option.id }))}
        getPopupContainer={(node) => node.closest('form') ?? document.body}
        onChange={onChange}
      />
      <p id={id} className={styles.problem} aria-live="polite">
        {isInvalid ? hint : ''}
      </p>
    </div>
  );
}

interface ActingSelection {
  readonly target: { readonly deptId: string; readonly roleId: string };
  readonly names: { readonly dept: string; readonly role: string };
}

/** Closes all tabs, which unsaved changes may prevent, and then switches to the selected department and role. */
function useActing(onDone: () => void) {
  const t = useTranslation();
  const session = useService(Session);
  const tabs = useService(TabStore);
  const toasts = useService(Toasts);
  return useMutation(async ({ target, names }: ActingSelection) => {
    if (!(await tabs.closeAll())) return false;
    const success = await session.actAs(target).catch(() => false);
    if (success) {
      toasts.success(t('roleSwitch.switched', names));
      onDone();
    } else toasts.error(t('roleSwitch.failed'));
    return success;
  });
}

/** Returns the current department or role where it is a single one. */
function singleId<Name extends ActingPart>(part: Name, ids = ''): Partial<Record<Name, string>> {
  return (ids !== '' && !ids.includes(',') ? { [part]: ids } : {}) as Partial<Record<Name, string>>;
}
