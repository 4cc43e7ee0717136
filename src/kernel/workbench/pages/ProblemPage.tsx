import { useLocation, useNavigate } from 'react-router-dom';
import { explainPage } from '#shared/explain-page';
import { useService } from '../../base/react/services.tsx';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useCan } from '../../platform/permission/use-can.tsx';
import { ErrorPage } from '../../ui/errors/ErrorPage.tsx';
import { Tabs } from '../tabs/tabs.ts';

/** Renders an error page within the console; users with the permission can ask why they lack a page. */
export function ProblemPage({ status }: { readonly status: 403 | 404 | 500 }) {
  const t = useTranslation();
  const navigate = useNavigate();
  const tabs = useService(Tabs);
  const { state } = useLocation();
  const mayExplain = useCan(explainPage.code) && status === 403 && state?.from;
  const explain = () => tabs.open({ location: `${explainPage.path}/index?about=${encodeURIComponent(state.from)}` });
  return <ErrorPage status={status} onLeave={() => navigate('/')} further={mayExplain ? [{ label: t('errors.explain'), onAction: explain }] : []} />;
}
