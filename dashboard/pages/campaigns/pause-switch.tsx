import { Switch, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { tellDone, tellFault } from '../../kit/tell.ts';
import { type Campaign, restingWords } from './campaign.ts';

/** Pauses a campaign and sets it going again, at once; back again where the exchange says no. */
export function PauseSwitch({ campaign }: { readonly campaign: Campaign }) {
  const touches = { touches: ['/api/campaigns', '/api/attention'] };
  const pause = useChange('post', '/api/campaigns/{id}/pause', touches);
  const reactivate = useChange('post', '/api/campaigns/{id}/reactivate', touches);
  const [wanted, setWanted] = useState<boolean | null>(null);
  const { id, campaign_name: name, status, paused_by: by } = campaign;
  const byBudget = by === 'daily_budget' || by === 'total_budget';

  const turn = async (on: boolean) => {
    setWanted(on);
    try {
      await (on ? reactivate : pause).mutateAsync({ params: { path: { id } } });
      tellDone(on ? `${name} bids again.` : `${name} is paused: it bids no more until you set it going.`);
    } catch (error) {
      tellFault(error);
    }
    setWanted(null);
  };

  // A campaign with a spent budget can be paused by hand.
  const on = wanted ?? (status === 'active' || byBudget);
  const resting = restingWords(campaign);
  return (
    <Tooltip label={resting === null ? 'It bids' : `It does not bid: ${resting}`}>
      {/* A switch that is off takes no pointer; its box does. */}
      <span>
        <Switch
          size="sm"
          aria-label={`Bids with ${name}`}
          checked={on}
          disabled={status === 'retired' || by === 'strategy'}
          onChange={({ currentTarget }) => void turn(currentTarget.checked)}
        />
      </span>
    </Tooltip>
  );
}
