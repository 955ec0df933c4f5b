import { Anchor, Badge, Button, Card, Group, List, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { formatCount } from '../../../kit/format.ts';
import { formatsOf, type Listed, titleOf } from '../creative.ts';
import { CreativePreview } from '../creative-preview.tsx';
import { FINDING_WORDS } from '../creative-words.ts';
import { ScanMark, StandingMark } from '../marks.tsx';
import classes from './review-card.module.css';
import type { ReviewAction } from './shortcuts.ts';

type CardAction = Extract<ReviewAction, 'approve' | 'block' | 'report' | 'undo'>;

interface ReviewCardProps {
  readonly creative: Listed;
  /** `3 of 40`. */
  readonly place: string;
  readonly current: boolean;
  /** Whether the keyboard brought the reader here. */
  readonly focused: boolean;
  /** What was decided in the scope of this review. */
  readonly decided: 'block' | 'approve' | undefined;
  readonly busy: boolean;
  readonly onAct: (action: CardAction) => void;
}

const PREVIEW_PX = 300;

/** One creative of the queue: as it looks, what is against it, and what can be decided. */
export function ReviewCard({ creative, place, current, focused, decided, busy, onAct }: ReviewCardProps) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focused) card.current?.focus();
  }, [focused]);
  const name = titleOf(creative);
  return (
    <Card
      ref={card}
      withBorder
      padding="sm"
      component="article"
      className={classes.card}
      aria-label={`${name}, ${place}`}
      aria-current={current ? 'true' : undefined}
      tabIndex={current ? 0 : -1}
    >
      <Stack gap="xs">
        <CreativePreview of={creative} height={PREVIEW_PX} inert />
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Anchor
            size="sm"
            fw={600}
            truncate
            dir="auto"
            ta="left"
            title={name}
            renderRoot={(props) => <Link to="/creatives/$id" params={{ id: creative.id }} {...props} />}
          >
            {name}
          </Anchor>
          <Text size="xs" c="dimmed" className="figure">
            {place}
          </Text>
        </Group>
        <Group gap={4}>
          {decided !== undefined && <StandingMark of={decided === 'block' ? 'blocked' : 'approved'} />}
          <ScanMark of={creative.scan_status} />
          <Badge color="gray">{formatsOf(creative)}</Badge>
          {creative.report_count > 0 && <Badge color="red">{creative.report_count} reported</Badge>}
        </Group>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {creative.advertiser_domains.join(', ') || 'No advertiser named'}
          <Text span inherit c="dimmed">
            {' '}
            · {creative.dsp_name}
            {creative.categories.length > 0 && ` · ${creative.categories.join(', ')}`} · {formatCount(creative.wins)}{' '}
            wins, {formatCount(creative.refusals)} refused
          </Text>
        </Text>
        {creative.findings.length > 0 && (
          <List size="sm" spacing={2} aria-label="Findings">
            {creative.findings.map((code) => (
              <List.Item key={code}>{FINDING_WORDS[code].title}</List.Item>
            ))}
          </List>
        )}
        <Group gap="xs">
          {decided === undefined ? (
            <>
              <Button size="xs" variant="default" disabled={busy} onClick={() => onAct('approve')}>
                Approve
              </Button>
              <Button size="xs" color="red" disabled={busy} onClick={() => onAct('block')}>
                Block
              </Button>
            </>
          ) : (
            <Button size="xs" variant="default" disabled={busy} onClick={() => onAct('undo')}>
              Undo
            </Button>
          )}
          <Button size="xs" variant="subtle" color="gray" onClick={() => onAct('report')}>
            Report
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}
