import { Button, Input, Radio } from '@arco-design/web-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { Can, Toasts, useMutation, useService, useTranslation } from '#kernel';
import { type PersonInput, type PersonReport, personCalls } from '../contract.ts';
import { EraseDialog } from './EraseDialog.tsx';
import { fetchFile } from './fetch-file.ts';
import { privacyMessages } from './messages.ts';
import { PersonRecords } from './PersonRecords.tsx';
import styles from './privacy.module.css';

type Key = keyof PersonInput;
const keys = ['account', 'phone', 'email'] as const satisfies readonly Key[];

interface Found {
  readonly reference: PersonInput;
  readonly report: PersonReport;
  /** True if the report says what has been erased. */
  readonly isDone: boolean;
}

/** Finds, exports and erases what is stored about one person. Top task: answer a person's request, 3 clicks (find, export or erase, confirm). */
export default function PersonPage() {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const [key, setKey] = useState<Key>('account');
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found>();
  const [isErasing, setIsErasing] = useState(false);
  const page = useRef<HTMLDivElement>(null);
  const id = useId();
  const plan = useMutation(personCalls.plan, { onSuccess: (report, reference) => setFound({ reference, report, isDone: false }) });
  const exporting = useMutation(personCalls.export, {
    onSuccess: ({ link }) => {
      fetchFile(link);
      toasts.success(t(privacyMessages.exported));
    },
  });
  const find = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '' || plan.isPending) return;
    // Otherwise the buttons would still export or erase the former person if this one is not found.
    setFound(undefined);
    void plan.mutate({ [key]: text.trim() });
  };
  return (
    <div className={styles.page} ref={page}>
      <form className={styles.card} onSubmit={find}>
        <p className={styles.hint}>{t(privacyMessages.hint)}</p>
        <Radio.Group aria-label={t(privacyMessages.by)} value={key} onChange={setKey}>
          {keys.map((one) => (
            <Radio key={one} value={one}>
              {t(privacyMessages[one])}
            </Radio>
          ))}
        </Radio.Group>
        <div className={styles.line}>
          <label className="visually-hidden" htmlFor={id}>
            {t(privacyMessages[key])}
          </label>
          <Input id={id} value={text} onChange={setText} placeholder={t(privacyMessages[key])} autoComplete="off" />
          <Button type="primary" htmlType="submit" loading={plan.isPending}>
            {t(privacyMessages.find)}
          </Button>
        </div>
      </form>
      {found && (
        <section className={styles.card} aria-live="polite">
          <header className={styles.head}>
            <h2>{t(privacyMessages.found, { name: found.report.person.name })}</h2>
            <span className={styles.hint}>
              {[found.report.person.account, ...found.report.person.phones, ...found.report.person.emails].filter(Boolean).join(' · ')}
            </span>
            {!found.isDone && (
              <span className={styles.actions}>
                <Can code="person_export">
                  <Button loading={exporting.isPending} onClick={() => void exporting.mutate(found.reference)}>
                    {t(privacyMessages.export)}
                  </Button>
                </Can>
                <Can code="person_erase">
                  <Button status="danger" onClick={() => setIsErasing(true)}>
                    {t(privacyMessages.erase)}
                  </Button>
                </Can>
              </span>
            )}
          </header>
          <PersonRecords report={found.report} isDone={found.isDone} />
        </section>
      )}
      {found && isErasing && (
        <EraseDialog
          reference={found.reference}
          name={found.report.person.name}
          container={() => page.current ?? document.body}
          onErased={(report) => {
            setIsErasing(false);
            setFound({ ...found, report, isDone: true });
            toasts.success(t(privacyMessages.erased));
          }}
          onClose={() => setIsErasing(false)}
        />
      )}
    </div>
  );
}
