import { Button, SimpleGrid, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAnswer } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { Page } from '../../kit/page.tsx';
import { isPeriod } from '../../kit/period-picker.tsx';
import { useView } from '../../kit/use-view.ts';
import { type Reviewed, type Seen, titleOf } from './creative.ts';
import { DecideDialog, type NamedScope } from './decide-dialog.tsx';
import { ScanMark } from './marks.tsx';
import { FiguresSection } from './one/figures-section.tsx';
import { HostingSection } from './one/hosting-section.tsx';
import { IdentitySection } from './one/identity-section.tsx';
import { MarkupSection } from './one/markup-section.tsx';
import { PreviewSection } from './one/preview-section.tsx';
import { ReportsSection } from './one/reports-section.tsx';
import { ReviewSection } from './one/review-section.tsx';
import { ScanSection } from './one/scan-section.tsx';
import { scopeName } from './one/scope-name.ts';
import { PATHS, useReader } from './reader.ts';
import { ReportDialog } from './report-dialog.tsx';

type Dialog = 'block' | 'approve' | 'report';

/** One creative of a demand source: as it looks, what is known of it, and what is decided about it. */
export function SeenCreativePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const reader = useReader();
  const [view, setView] = useView({ period: '30d' });
  const period = isPeriod(view.period) ? view.period : '30d';
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const path = { id };
  const byAccount = useAnswer(
    '/api/creatives/{id}',
    { params: { path, query: { period } } },
    { keep: true, enabled: reader === 'account' },
  );
  const bySeller = useAnswer('/api/source/creatives/{id}', { params: { path } }, { enabled: reader === 'publisher' });
  const byBuyer = useAnswer('/api/demand/creatives/{id}', { params: { path } }, { enabled: reader === 'dsp' });
  const asked = { account: byAccount, publisher: bySeller, dsp: byBuyer }[reader];
  const body = asked.body as Seen | undefined;
  const account = reader === 'account' ? (body as Reviewed | undefined) : undefined;
  const scopes = body === undefined ? [] : scopesOf(body);

  return (
    <Page
      title={body === undefined ? 'Creative' : titleOf(body)}
      parent={{ to: '/creatives', label: 'Creatives' }}
      beside={body !== undefined && <ScanMark of={body.scan_status} />}
      calls={[{ path: PATHS[reader].one.replace('{id}', id) }, { path: PATHS[reader].preview.replace('{id}', id) }]}
      actions={
        body !== undefined &&
        reader !== 'dsp' && (
          <>
            <Button size="xs" variant="subtle" color="gray" onClick={() => setDialog('report')}>
              Report
            </Button>
            {scopes.length > 0 && (
              <>
                <Button size="xs" variant="default" onClick={() => setDialog('approve')}>
                  Approve
                </Button>
                <Button size="xs" color="red" onClick={() => setDialog('block')}>
                  Block
                </Button>
              </>
            )}
          </>
        )
      }
    >
      <Answered of={asked} lines={10}>
        {(answer) => {
          const creative = answer as Seen;
          return (
            <Stack gap="lg">
              <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
                <PreviewSection of={creative} />
                <IdentitySection of={creative} account={account} />
              </SimpleGrid>
              <ReviewSection of={creative} />
              {account !== undefined && (
                <FiguresSection of={account} period={period} onPeriod={(next) => setView({ period: next })} />
              )}
              <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
                <ScanSection of={creative} />
                <HostingSection of={creative} />
              </SimpleGrid>
              {account !== undefined && account.reports.length > 0 && <ReportsSection of={account} />}
              <MarkupSection of={creative} />
            </Stack>
          );
        }}
      </Answered>
      {dialog === 'report' && body !== undefined && <ReportDialog creative={body} onClose={() => setDialog(null)} />}
      {(dialog === 'block' || dialog === 'approve') && body !== undefined && (
        <DecideDialog creative={body} decision={dialog} scopes={scopes} onClose={() => setDialog(null)} />
      )}
    </Page>
  );
}

/** Those that the reader may decide in: the account comes first, since it is what most decide for. */
function scopesOf({ review }: Seen): NamedScope[] {
  const own = review.filter(({ may_decide: may }) => may);
  const first = own.filter(({ scope }) => scope === 'account');
  return [...first, ...own.filter((one) => !first.includes(one))].map((one) => ({
    kind: one.scope,
    id: one.scope_id,
    label: scopeName(one),
  }));
}
