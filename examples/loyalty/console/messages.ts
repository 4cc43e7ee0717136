/** Texts of the console half. */
export const words = {
  noAwards: ['暂无积分', 'No points yet'],
  noAwardsHint: ['审核通过的提交结算后，积分显示在这里。', 'Points appear here once approved work has been settled.'],
  title: ['积分', 'Loyalty points'],
  thisMonth: ['本月积分', 'Points this month'],
  earns: ['单份积分', 'Points each'],
  byPrice: ['未填单份积分时，按单价计算积分', 'Points follow from it where the task says none itself'],
  settle: ['结算积分', 'Settle points'],
  settled: ['已为 {awards} 份提交发放 {points} 积分', '{points} points given for {awards} pieces of work'],
  nothing: ['没有待结算的提交', 'There is no work without points'],
  goal: ['目标 {goal}', 'Goal {goal}'],
  failed: ['积分未能加载', 'The points could not be loaded'],
  none: ['本月还没有积分', 'No points yet this month'],
} as const;
