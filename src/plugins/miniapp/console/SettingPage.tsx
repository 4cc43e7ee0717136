import { Button } from '@arco-design/web-react';
import { useMemo, useState } from 'react';
import { Http, InlineForm, type Loadable, loadable, useCan, useService, useStream, useTranslation } from '#kernel';
import { type MiniappSettingRow, miniappSetting } from '../contract.ts';
import { miniappMessages } from './messages.ts';
import { PhonePreview } from './PhonePreview.tsx';

const loading: Loadable<MiniappSettingRow | null> = { status: 'loading' };

/** Edits the settings of the mini-app. Top task: change the announcement, 1 click (save), with a preview beside the form. */
export default function SettingPage() {
  const http = useService(Http);
  const t = useTranslation();
  const isWritable = useCan('miniapp_setting_edit');
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is what asks again
  const setting$ = useMemo(() => loadable(http.send(miniappSetting.read, {})), [http, tries]);
  const { status, value } = useStream(setting$, loading);
  if (status === 'failed')
    return (
      <p role="alert">
        {t(miniappMessages.failed)} <Button onClick={() => setTries(tries + 1)}>{t(miniappMessages.retry)}</Button>
      </p>
    );
  return (
    value && (
      <InlineForm
        crud={miniappSetting}
        row={value}
        carried={['updated_at']}
        isWritable={isWritable}
        beside={(values) => <PhonePreview setting={values as Partial<MiniappSettingRow>} />}
      />
    )
  );
}
