import { useService } from '../../base/react/services.tsx';
import { useMutation } from '../../platform/http/use-mutation.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { roleNames, useUser } from '../../platform/session/use-user.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import styles from './PreviewBanner.module.css';
import { Preview } from './preview.ts';

/** Shows the roles of the running preview and ends it. */
export default function PreviewBanner() {
  const t = useTranslation();
  const user = useUser();
  const preview = useService(Preview);
  const { isPending, mutate } = useMutation(() => preview.end());
  return (
    <section className={styles.banner} aria-label={t('preview.title')}>
      <Icon name="eye" size={16} />
      <p role="status">
        <strong>{t('preview.as', { roles: roleNames(user, t) || t('preview.deletedRole') })}</strong> <span>{t('preview.readOnly')}</span>
      </p>
      <button type="button" disabled={isPending} onClick={() => void mutate()}>
        {t('preview.end')}
      </button>
    </section>
  );
}
