import { Button } from '@arco-design/web-react';
import { moneyText, SidePanel, useTranslation } from '#kernel';
import type { OfferPreview, PublicationPlan, PublicationShare } from '../contract.ts';
import { publishMessages } from './messages.ts';
import styles from './publish.module.css';

interface PublishSheetProps {
  readonly plan: PublicationPlan;
  /** Number of tasks that were selected. */
  readonly count: number;
  readonly onClose: (isConfirmed: boolean) => void;
}

/** Shows what a publication offers and costs before it is confirmed. Top task: check price, quantity and money of one task and publish it, 1 click. */
export default function PublishSheet({ plan: { shares, preview }, count, onClose }: PublishSheetProps) {
  const t = useTranslation();
  const tasks = shares.reduce((sum, share) => sum + share.tasks, 0);
  const isRefused = shares.every((share) => share.isRefused);
  return (
    <SidePanel open title={preview ? t(publishMessages.titleOne) : t(publishMessages.titleMany, { count: tasks })} width={680} onClose={() => onClose(false)}>
      <div className={styles.content}>
        {preview ? <OneTask preview={preview} share={shares[0]} /> : <Shares shares={shares} />}
        {shares.map((share) => (
          <Shortage key={share.advertiserId} share={share} />
        ))}
        {count > tasks && <p className={styles.leftOut}>{t(publishMessages.leftOut, { count: count - tasks })}</p>}
      </div>
      <div className={styles.footer}>
        <Button onClick={() => onClose(false)}>{t(publishMessages.cancel)}</Button>
        <Button type="primary" disabled={isRefused} autoFocus onClick={() => onClose(true)}>
          {t(publishMessages.publish)}
        </Button>
      </div>
    </SidePanel>
  );
}

function OneTask({ preview, share }: { readonly preview: OfferPreview; readonly share: PublicationShare | undefined }) {
  const t = useTranslation();
  const { unitPrice, places, cities, endTime } = preview;
  const { available = null, cost = null } = share ?? {};
  return (
    <div className={styles.one}>
      <Offer preview={preview} />
      <dl className={styles.facts}>
        {unitPrice !== null && cost !== null && (
          <>
            <dt>{t(publishMessages.cost)}</dt>
            <dd>
              {moneyText(unitPrice)} × {places} = <strong>{moneyText(cost)}</strong>
            </dd>
          </>
        )}
        <dt>{t(publishMessages.advertiser)}</dt>
        <dd>{share?.name}</dd>
        {available !== null && cost !== null && (
          <>
            <dt>{t(publishMessages.available)}</dt>
            <dd>{moneyText(available)}</dd>
            <dt>{t(publishMessages.after)}</dt>
            <dd className={available < cost ? styles.short : undefined}>{moneyText(available - cost)}</dd>
          </>
        )}
        <dt>{t(publishMessages.cities)}</dt>
        <dd>{cities.length > 0 ? cities.join(t(publishMessages.comma)) : t(publishMessages.allCities)}</dd>
        <dt>{t(publishMessages.end)}</dt>
        <dd>{endTime ?? t(publishMessages.noEnd)}</dd>
      </dl>
    </div>
  );
}

/** Shows an offer as the mini-app lists it. */
function Offer({ preview: { title, cover, platform, unitPrice, places, perUserLimit, requirement } }: { readonly preview: OfferPreview }) {
  const t = useTranslation();
  return (
    <figure className={styles.offer}>
      {cover && <img src={cover} alt="" />}
      <strong className={styles.offerTitle}>{title}</strong>
      <p>
        {unitPrice !== null && <span className={styles.price}>{moneyText(unitPrice)}</span>}
        <span>{platform}</span>
      </p>
      <p>{t(perUserLimit > 0 ? publishMessages.placesLimited : publishMessages.places, { count: places, limit: perUserLimit })}</p>
      <p className={styles.requirement}>{requirement}</p>
      <figcaption>{t(publishMessages.previewOf)}</figcaption>
    </figure>
  );
}

function Shares({ shares }: { readonly shares: readonly PublicationShare[] }) {
  const t = useTranslation();
  return (
    <div className={styles.scroll}>
      <table className={styles.shares}>
        <thead>
          <tr>
            <th scope="col">{t(publishMessages.advertiser)}</th>
            <th scope="col">{t(publishMessages.tasks)}</th>
            <th scope="col">{t(publishMessages.quantity)}</th>
            <th scope="col">{t(publishMessages.cost)}</th>
            <th scope="col">{t(publishMessages.after)}</th>
          </tr>
        </thead>
        <tbody>
          {shares.map(({ advertiserId, name, tasks, places, cost, available }) => (
            <tr key={advertiserId}>
              <th scope="row">{name}</th>
              <td>{tasks}</td>
              <td>{places}</td>
              <td>{cost === null ? '' : moneyText(cost)}</td>
              <td className={available !== null && cost !== null && available < cost ? styles.short : undefined}>
                {available === null || cost === null ? '' : moneyText(available - cost)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Says that the money of an advertiser does not cover the cost, and what happens then. */
function Shortage({ share: { name, cost, available, isLimited, isRefused } }: { readonly share: PublicationShare }) {
  const t = useTranslation();
  const missing = cost !== null && available !== null ? cost - available : 0;
  if (missing <= 0 && !isLimited) return null;
  const message = isRefused ? publishMessages.refused : isLimited ? publishMessages.refusedInPart : publishMessages.warned;
  return (
    <p className={isRefused ? styles.refused : styles.warned} role={isRefused ? 'alert' : 'status'}>
      {t(message, { name })}
      {missing > 0 && t(publishMessages.missing, { missing: moneyText(missing) })}
    </p>
  );
}
