import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { ActionButton, Http, loadingMessages, PageSkeleton, Session, useService, useTranslation } from '#kernel';
import { type AuthorizeRequest, authorization } from '#shared/authorize';
import { consentMessages } from './messages.ts';
import styles from './sections.module.css';

/** Asks whether another program may learn who is signed in; a program that an administrator trusts needs no consent. */
export default function ConsentPage() {
  const t = useTranslation();
  const user = useService(Session).user;
  const { request, failure, isLeaving, answer } = useConsent();
  if (failure !== undefined) {
    return (
      <section className={styles.consent} role="alert">
        <h1>{t(consentMessages.title)}</h1>
        <p>{failure}</p>
      </section>
    );
  }
  if (!request) return <PageSkeleton />;
  if (isLeaving || request.isTrusted) {
    return (
      <p className={styles.consent} role="status">
        {t(consentMessages.consenting, { host: request.host })}
      </p>
    );
  }
  return (
    <section className={styles.consent} aria-label={t(consentMessages.title)}>
      <h1>{t(consentMessages.title)}</h1>
      <p>{t(consentMessages.question, { client: request.clientId, host: request.host })}</p>
      <p className={styles.hint}>{t(consentMessages.signedInAs, { name: user?.real_name || user?.account || '' })}</p>
      <div className={styles.buttons}>
        <ActionButton onClick={() => void answer(false)}>{t(consentMessages.refuse)}</ActionButton>
        <ActionButton variant="main" onClick={() => void answer(true)}>
          {t(consentMessages.approve)}
        </ActionButton>
      </div>
    </section>
  );
}

interface ConsentRequest {
  readonly clientId: string;
  readonly host: string;
  readonly isTrusted: boolean;
}

function useConsent() {
  const t = useTranslation();
  const http = useService(Http);
  const { search } = useLocation();
  const request = useMemo(() => Object.fromEntries(new URLSearchParams(search)) as AuthorizeRequest, [search]);
  const [consentRequest, setConsentRequest] = useState<ConsentRequest>();
  const [failure, setFailure] = useState<string>();
  const [isLeaving, setIsLeaving] = useState(false);

  const answer = async (approve: boolean) => {
    setIsLeaving(true);
    const reply = await http.send(authorization.answer, { ...request, approve }, { quiet: true }).catch(() => undefined);
    if (reply?.success) return window.location.assign(reply.data.location);
    setIsLeaving(false);
    setFailure(reply?.msg ?? t(loadingMessages.failed));
  };
  const trust = useRef(answer);
  trust.current = answer;

  useEffect(() => {
    const controller = new AbortController();
    http
      .send(authorization.ask, request, { quiet: true, signal: controller.signal })
      .catch(() => undefined)
      .then((reply) => {
        if (controller.signal.aborted) return;
        if (!reply?.success) return setFailure(reply?.msg ?? t(loadingMessages.failed));
        setConsentRequest(reply.data);
        if (reply.data.isTrusted) void trust.current(true);
      });
    return () => controller.abort();
  }, [http, request, t]);
  return { request: consentRequest, failure, isLeaving, answer };
}
