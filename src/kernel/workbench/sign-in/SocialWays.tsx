import { useWords } from '../../platform/i18n/use-words.ts';
import { SourceIcon } from './steps/SourceIcon.tsx';
import { sourceWords } from './steps/source-words.ts';
import { Way } from './Way.tsx';

/** Renders a button for each provider that is set up. */
export default function SocialWays({ sources, onChoose }: { readonly sources: readonly string[]; readonly onChoose: (source: string) => void }) {
  const say = useWords();
  return sources.map((source) => <Way key={source} icon={<SourceIcon source={source} />} label={say(sourceWords(source))} onChoose={() => onChoose(source)} />);
}
