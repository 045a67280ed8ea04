// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.ConnectEncoder;
import io.gradstream.codecs.wire.CreateTableEncoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.RefusedDecoder;
import io.gradstream.codecs.wire.TableCreatedDecoder;
import io.gradstream.codecs.wire.TableRefusedDecoder;
import io.gradstream.server.partition.Partition;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a worker is told whose table is refused.
 */
class CreateTableTest
{
    private static final int SESSION = 9;
    private static final long REQUEST_ID = -7;

    private final ServedPartition served = new ServedPartition(128 * 1024).serve();
    private final Partition partition = served.partition;
    private final NodeCounters counters = served.counters;
    private final KeptStream stream = served.stream;
    private final IngressAdapter adapter = served.adapter;
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1024]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();

    @BeforeEach
    void serve()
    {
        send(new ConnectEncoder().wrapAndApplyHeader(buffer, 0, header)
            .correlationId(1).incarnation(5).jobId(1).slot(0)
            .responseStreamId(102).responseChannel("aeron:udp?endpoint=127.0.0.1:40123").encodedLength());
    }

    @Test
    void shouldSayWhatIsWrongWithTheUpdateFunction()
    {
        create(TableSpec.sparse(1, "weights", 2, "adam/9"));
        assertRefused(Refusal.INVALID_TABLE, "unknown update function 'adam/9': must be add/1, assign/1,");
        create(TableSpec.sparse(1, "weights", 2, "sgd/1 rate=0"));
        assertRefused(Refusal.INVALID_TABLE, "rate must be above 0");
        create(new TableSpec(1, "w", 1, ElementType.INT64, 0, 0, 0, 0, "sgd/1 rate=1"));
        assertRefused(Refusal.INVALID_TABLE, "function='sgd/1 rate=1' cannot update elementType=INT64");
        create(TableSpec.sparse(1, "weights", 0, "add/1"));
        assertRefused(Refusal.INVALID_TABLE, "invalid dim=0: must be 1..8192");
        assertThat(counters.get(NodeCounters.Counter.REFUSED_MESSAGES)).isEqualTo(4);
    }

    @Test
    void shouldSayWhichTableIsThereAlready()
    {
        create(TableSpec.sparse(1, "weights", 2, "add/1"));
        assertThat(new TableCreatedDecoder().wrapAndApplyHeader(last(), 0, new MessageHeaderDecoder()).tableId())
            .isEqualTo(1);

        create(TableSpec.sparse(1, "biases", 3, "add/1"));
        assertRefused(Refusal.TABLE_MISMATCH, "table 1 is there already: it has name='weights' instead of " +
            "name='biases', dim=2 instead of dim=3");
        create(TableSpec.sparse(2, "weights", 2, "add/1"));
        assertRefused(Refusal.TABLE_MISMATCH, "table 1 has this name: choose another name");
    }

    @Test
    void shouldCutASentenceThatIsTooLong()
    {
        create(TableSpec.sparse(1, "weights", 2, "a".repeat(TableSpec.MAX_FUNCTION_LENGTH) + "b".repeat(500)));

        final TableRefusedDecoder refused = refused();
        assertThat(refused.reason()).startsWith("invalid function='aaa")
            .hasSize(EgressPublisher.MAX_REASON_LENGTH);
    }

    @Test
    void shouldSendAWorkerToTheNextHeadOnceThisOneHasStopped()
    {
        final TableSpec spec = TableSpec.sparse(1, "weights", 2, "add/1");
        final int before = served.copy.contents().tableCount();
        served.replica.seal();
        create(spec);
        final RefusedDecoder refused = new RefusedDecoder().wrapAndApplyHeader(last(), 0, new MessageHeaderDecoder());
        assertThat(Refusal.of(refused.code())).isEqualTo(Refusal.NOT_PRIMARY);
        assertThat(refused.requestId()).isEqualTo(REQUEST_ID);
        assertThat(served.copy.contents().tableCount()).isEqualTo(before);

        served.replica.onChain(new Chain(partition.epoch() + 1, 2, List.of(0), Chain.NONE, 1));
        served.serve();
        create(spec);
        assertThat(new TableCreatedDecoder().wrapAndApplyHeader(last(), 0, new MessageHeaderDecoder()).requestId())
            .isEqualTo(REQUEST_ID);
        assertThat(served.copy.contents().tableCount()).isEqualTo(before + 1);
    }

    private void assertRefused(final Refusal refusal, final String reason)
    {
        final TableRefusedDecoder refused = refused();
        assertThat(refused.requestId()).isEqualTo(REQUEST_ID);
        assertThat(refused.epoch()).isEqualTo(partition.epoch());
        assertThat(Refusal.of(refused.code())).isEqualTo(refusal);
        assertThat(refused.reason()).contains(reason);
    }

    private TableRefusedDecoder refused()
    {
        final MessageHeaderDecoder message = new MessageHeaderDecoder();
        final UnsafeBuffer answer = last();
        assertThat(message.wrap(answer, 0).templateId()).isEqualTo(TableRefusedDecoder.TEMPLATE_ID);
        return new TableRefusedDecoder().wrapAndApplyHeader(answer, 0, message);
    }

    private UnsafeBuffer last()
    {
        return new UnsafeBuffer(stream.messages.remove(stream.messages.size() - 1));
    }

    private void create(final TableSpec spec)
    {
        send(new CreateTableEncoder().wrapAndApplyHeader(buffer, 0, header)
            .epoch(partition.epoch()).requestId(REQUEST_ID).rows(spec.rows()).initialiserSeed(0).partition(0).slot(0)
            .tableId(spec.tableId()).dim(spec.dim()).elementType((short)spec.elementType().code())
            .initialiser((short)spec.initialiser()).initialiserScale(0)
            .name(spec.name()).function(spec.function()).encodedLength());
    }

    private void send(final int bodyLength)
    {
        assertThat(adapter.onMessage(SESSION, buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + bodyLength)).isTrue();
    }
}
