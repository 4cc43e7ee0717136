import { useService } from '../base/react/services.tsx';
import { saveFile } from '../platform/browser/save-file.ts';
import { useTranslation } from '../platform/i18n/use-translation.ts';
import { Session } from '../platform/session/session.ts';
import { SubmitButton } from '../ui/fields/SubmitButton.tsx';
import styles from './AccountPage.module.css';
import { CopyText } from './CopyText.tsx';

/** Shows the recovery codes for a lost authenticator, to copy or to download; they are shown only once. */
export function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const t = useTranslation();
  const account = useService(Session).user?.account ?? '';
  const all = codes.join('\n');
  const download = () => saveFile(`${t('account.codesFile')}-${account}.txt`, new Blob([`${all}\n`], { type: 'text/plain' }));
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <p className={styles.why}>{t('account.codesHint')}</p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <CopyText value={all} />
        <button type="button" className={styles.action} onClick={download}>
          {t('account.download')}
        </button>
        <SubmitButton isBusy={false}>{t('account.codesKept')}</SubmitButton>
      </div>
    </form>
  );
}
