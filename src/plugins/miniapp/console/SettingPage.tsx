import { Button } from '@arco-design/web-react';
import { InlineForm, useCan, useQuery, useTranslation } from '#kernel';
import { banner, type MiniappSettingRow, miniappSetting } from '../contract.ts';
import { miniappMessages } from './messages.ts';
import styles from './miniapp.module.css';

const yuan = (fen: unknown) => (Number(fen ?? 0) / 100).toFixed(2);

/** Previews the mini-app with unsaved settings. */
function PhonePreview({ setting }: { readonly setting: Partial<MiniappSettingRow> }) {
  const t = useTranslation();
  const { app_name, logo, notice, service_phone, service_wechat, claim_limit, submit_hours, audit_hours } = setting;
  return (
    <figure className={styles.phone} aria-label={t(miniappMessages.preview)}>
      <div className={styles.bar}>
        {logo && <img className={styles.logo} src={logo} alt="" />}
        <strong>{app_name || t(miniappMessages.unnamed)}</strong>
      </div>
      {notice && <p className={styles.notice}>{notice}</p>}
      <FirstBanner />
      <section className={styles.card}>
        <h2>{t(miniappMessages.rules)}</h2>
        <ul>
          {Number(claim_limit) > 0 && <li>{t(miniappMessages.claim, { count: claim_limit ?? 0 })}</li>}
          <li>{t(miniappMessages.submit, { hours: submit_hours ?? '' })}</li>
          <li>{t(miniappMessages.audit, { hours: audit_hours ?? '' })}</li>
          <Withdrawals setting={setting} />
        </ul>
      </section>
      {(service_phone || service_wechat) && (
        <section className={styles.card}>
          <h2>{t(miniappMessages.service)}</h2>
          <ul>
            {service_phone && <li>{service_phone}</li>}
            {service_wechat && <li>{service_wechat}</li>}
          </ul>
        </section>
      )}
    </figure>
  );
}

/** Shows the first banner that is live, or a placeholder. */
function FirstBanner() {
  const { data } = useQuery(banner.showing, {});
  const first = data?.find(({ position }) => position === 'home');
  return first ? <img className={styles.banner} src={first.image} alt={first.title} /> : <div className={styles.banner} aria-hidden="true" />;
}

function Withdrawals({ setting: { min_withdraw, withdraw_rate, daily_withdraw_limit } }: { readonly setting: Partial<MiniappSettingRow> }) {
  const t = useTranslation();
  return (
    <>
      <li>{t(miniappMessages.withdraw, { amount: yuan(min_withdraw) })}</li>
      {Number(withdraw_rate) > 0 && <li>{t(miniappMessages.fee, { rate: Number(withdraw_rate) / 10 })}</li>}
      {Number(daily_withdraw_limit) > 0 && <li>{t(miniappMessages.daily, { count: daily_withdraw_limit ?? 0 })}</li>}
    </>
  );
}

/** Edits the settings of the mini-app. Top task: change the announcement, 1 click (save), with a preview beside the form. */
export default function SettingPage() {
  const t = useTranslation();
  const isWritable = useCan('miniapp_setting_edit');
  const { data, error, refetch } = useQuery(miniappSetting.read, {}, { refetchOnMount: false });
  if (error)
    return (
      <p role="alert">
        {t(miniappMessages.failed)} <Button onClick={refetch}>{t(miniappMessages.retry)}</Button>
      </p>
    );
  return (
    data && (
      <InlineForm
        crud={miniappSetting}
        row={data}
        isWritable={isWritable}
        beside={(values) => <PhonePreview setting={values as Partial<MiniappSettingRow>} />}
      />
    )
  );
}
