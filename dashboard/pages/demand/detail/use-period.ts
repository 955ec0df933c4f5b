import { isPeriod, type Period, type PeriodPicker, REGIONS, type Region } from '../../../kit/period-picker.tsx';
import { useView } from '../../../kit/use-view.ts';

type Picked = React.ComponentProps<typeof PeriodPicker>;

/** The period and region that the tab's figures are of, as the URL says, and what the picker is given. */
export function usePeriod(): { readonly query: { period: Period; region?: Region }; readonly picked: Picked } {
  const [view, setView] = useView({ period: '24h', region: '' });
  const period = isPeriod(view.period) ? view.period : '24h';
  const region = REGIONS.find((one) => one === view.region);
  return {
    query: { period, ...(region !== undefined && { region }) },
    picked: {
      period,
      onPeriod: (chosen) => setView({ period: chosen }),
      region,
      onRegion: (chosen) => setView({ region: chosen ?? '' }),
    },
  };
}
