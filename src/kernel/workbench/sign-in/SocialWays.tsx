import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { SourceIcon } from './steps/SourceIcon.tsx';
import { sourceWords } from './steps/source-messages.ts';
import { Way } from './Way.tsx';

/** Renders a button for each provider that is set up. */
export default function SocialWays({ sources, onChoose }: { readonly sources: readonly string[]; readonly onChoose: (source: string) => void }) {
  const t = useTranslation();
  return sources.map((source) => <Way key={source} icon={<SourceIcon source={source} />} label={t(sourceWords(source))} onChoose={() => onChoose(source)} />);
}
