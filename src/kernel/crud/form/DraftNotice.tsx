import { Button } from '@arco-design/web-react';
import { useService } from '../../base/react/services.tsx';
import { Locale } from '../../platform/i18n/locale.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { OfferedDraft } from './use-form-draft.ts';

/** Offers to restore the input that was not saved before the page was reloaded. */
export function DraftNotice({ opened: { draft, continueDraft, forgetDraft } }: { readonly opened: OfferedDraft }) {
  const t = useTranslation();
  const { language } = useService(Locale);
  if (!draft) return null;
  const time = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', { hour: '2-digit', minute: '2-digit' }).format(draft.at);
  return (
    <section className="crud-draft" role="status">
      <span>{t('crud.draft', { time })}</span>
      <Button size="small" type="primary" onClick={continueDraft}>
        {t('crud.draftContinue')}
      </Button>
      <Button size="small" onClick={forgetDraft}>
        {t('crud.draftForget')}
      </Button>
    </section>
  );
}
