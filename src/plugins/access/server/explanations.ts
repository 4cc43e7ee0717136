import { boundOf, Explanations, type PluginRoute, Principals, route, type ServerContext } from '#server';
import { type Explanation, type ExplanationStep, explained } from '#shared/permission-explanation';
import { permissionExplanation } from '../explain-contract.ts';
import { findUsersByName } from './find-users.ts';
import { permissionSummary } from './permission-summary.ts';
import { type RuleReader, ScopeRules } from './scope-rules.ts';

/** Serves the explanation of permissions. */
export function explanationRoutes(context: ServerContext): PluginRoute[] {
  const { db, get } = context;
  const explanations = get(Explanations);

  return [
    route(permissionExplanation.explain, async (request) => withRule(context, request, await explanations.explain(request.principal, request.input))),
    route(permissionExplanation.summary, (request) => permissionSummary(context, request, request.input.userId ?? request.principal.userId)),
    route(permissionExplanation.people, ({ input }) => findUsersByName(db, input.text ?? '')),
    route(permissionExplanation.entries, ({ principal, language }) => explanations.entries(principal, language)),
    route(permissionExplanation.calls, ({ input, language }) => explanations.calls(input.text ?? '', language)),
  ];
}

/** Names the rule that limits the rows, where one does. */
async function withRule(context: ServerContext, { principal }: RuleReader, explanation: Explanation): Promise<Explanation> {
  const { subject, user, steps } = explanation;
  const person = subject.entity ? await context.get(Principals).find(principal.tenantId, user.id) : undefined;
  const parts = person?.dataScopes?.get(subject.entity ?? '')?.parts;
  if (!parts) return explanation;
  const rules = new ScopeRules(context);
  const sentenceIn = (language: 'zh' | 'en') => rules.sentences({ principal, language }, subject.entity ?? '').ofCondition(boundOf(parts));
  const rule = [await sentenceIn('zh'), await sentenceIn('en')] as const;
  const named = (step: ExplanationStep): ExplanationStep => {
    if (step.step !== 'dataScope' || step.verdict === 'silent') return step;
    if (step.verdict === 'refuses') return isMissing(step) ? step : explained('dataScope', 'refuses', 'rowOutsideRule', { rule });
    return explained('dataScope', 'allows', 'someRowsRule', { rule });
  };
  return { ...explanation, steps: steps.map(named) };
}

/** A row that does not exist, or that the asker may not see, is limited by no rule. */
const isMissing = ({ sentence }: ExplanationStep) => sentence[1] === explained('dataScope', 'refuses', 'noRow').sentence[1];
