// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import io.gradstream.codecs.coordinator.JobDecoder;
import io.gradstream.codecs.coordinator.JobEncoder;
import io.gradstream.codecs.coordinator.MapDecoder;
import io.gradstream.codecs.coordinator.MapEncoder;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import java.util.ArrayList;
import java.util.List;

/** Writes and reads {@link ClusterMap}s as the coordinator sends them. Not thread safe. */
public final class ClusterMapCodec
{
    /** Longest endpoint of a node. */
    public static final int MAX_ENDPOINT_LENGTH = 255;

    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;

    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final MapEncoder encoder = new MapEncoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final MapDecoder decoder = new MapDecoder();

    public boolean isMap(final DirectBuffer buffer, final int offset, final int length)
    {
        return length >= HEADER_LENGTH + MapDecoder.BLOCK_LENGTH &&
            MessageHeaderDecoder.SCHEMA_ID == header.wrap(buffer, offset).schemaId() &&
            MapDecoder.TEMPLATE_ID == header.templateId();
    }

    /** Write a map with its message header into a buffer that is large enough, or grows. */
    public int encode(final ClusterMap map, final MutableDirectBuffer buffer, final int offset)
    {
        encoder.wrapAndApplyHeader(buffer, offset, headerEncoder).version(map.version());
        encoder.clusterId(map.clusterId());
        final MapEncoder.JobsEncoder jobs = encoder.jobsCount(map.jobs().size());
        for (final ClusterMap.Job job : map.jobs())
        {
            jobs.next().jobId(job.id()).firstPartition(job.firstPartition());
            encodeJob(job.spec(), jobs.spec());
            jobs.name().text(job.name());
        }
        final MapEncoder.DeletedJobsEncoder deleted = encoder.deletedJobsCount(map.deletedJobs().size());
        map.deletedJobs().forEach((id) -> deleted.next().deletedId(id));
        final MapEncoder.ChainsEncoder chains = encoder.chainsCount(map.assignment().size());
        for (int i = 0; i < map.assignment().size(); i++)
        {
            final Chain chain = map.chains().chains().get(i);
            chains.next().epoch(chain.epoch()).version(chain.version()).joiner(chain.joiner()).wanted(chain.wanted())
                .transferee(chain.transferee());
            final MapEncoder.ChainsEncoder.MembersEncoder members = chains.membersCount(chain.members().size());
            chain.members().forEach((node) -> members.next().nodeId(node));
            final List<Integer> nodesOf = map.assignment().get(i);
            final MapEncoder.ChainsEncoder.AssignmentEncoder assigned = chains.assignmentCount(nodesOf.size());
            nodesOf.forEach((node) -> assigned.next().nodeId(node));
            final MapEncoder.ChainsEncoder.StaleReplicasEncoder stale =
                chains.staleReplicasCount(chain.staleReplicas().size());
            chain.staleReplicas().forEach((node) -> stale.next().nodeId(node));
            final MapEncoder.ChainsEncoder.RequiredReplicasEncoder required =
                chains.requiredReplicasCount(chain.requiredReplicas().size());
            chain.requiredReplicas().forEach((node) -> required.next().nodeId(node));
        }
        final MapEncoder.NodesEncoder nodes = encoder.nodesCount(map.endpoints().size());
        for (int i = 0; i < map.endpoints().size(); i++)
        {
            nodes.next().incarnation(map.chains().incarnations().get(i)).endpoint(map.endpoints().get(i));
        }

        return HEADER_LENGTH + encoder.encodedLength();
    }

    /**
     * Read what {@link #encode} wrote.
     *
     * @throws IllegalArgumentException if it is none, is of another version of Gradstream, or is broken.
     */
    public ClusterMap decode(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isMap(buffer, offset, length) || header.version() != MessageHeaderDecoder.SCHEMA_VERSION)
        {
            throw new IllegalArgumentException("not a map of this version of Gradstream: length=" + length +
                (length < HEADER_LENGTH + MapDecoder.BLOCK_LENGTH ? "" :
                " template=" + header.templateId() + " version=" + header.version()));
        }
        decoder.wrapAndApplyHeader(buffer, offset, header);
        try
        {
            final ClusterMap map = decodeBody();
            if (HEADER_LENGTH + decoder.encodedLength() != length)
            {
                throw new IllegalArgumentException("a map of " + (HEADER_LENGTH + decoder.encodedLength()) +
                    " bytes came in a message of " + length);
            }
            return map;
        }
        catch (final IndexOutOfBoundsException ex)
        {
            throw new IllegalArgumentException("a map does not end where its message does", ex);
        }
    }

    /** Write a job, which may be null, where a message has room for one. */
    public static void encodeJob(final JobSpec job, final JobEncoder encoder)
    {
        encoder
            .partitions(null == job ? 0 : job.partitions())
            .copies(null == job ? 0 : job.copies())
            .nodes(null == job ? 0 : job.nodes())
            .virtualNodes(null == job ? 0 : job.virtualNodes())
            .rowCapacity(null == job ? 0 : job.rowCapacity())
            .repairDelayMs(null == job ? 0 : job.repairDelayMs())
            .mode((short)(null == job ? 0 : job.mode().ordinal()))
            .slots(null == job ? 0 : job.consistency().slots())
            .staleness(null == job ? 0 : job.consistency().staleness())
            .functions(null == job ? "" : String.join(" ", job.functions()))
            .rowBytes(null == job ? 0 : job.limits().rowBytes())
            .pushRate(null == job ? 0 : job.limits().pushRate());
    }

    /**
     * Read what {@link #encodeJob} wrote.
     *
     * @return job or null.
     * @throws IllegalArgumentException if its values cannot be.
     */
    public static JobSpec decodeJob(final JobDecoder decoder)
    {
        if (0 == decoder.partitions())
        {
            return null;
        }
        final RecoveryMode[] modes = RecoveryMode.values();
        if (decoder.mode() >= modes.length)
        {
            throw new IllegalArgumentException("unknown mode=" + decoder.mode());
        }

        return new JobSpec(
            decoder.partitions(), decoder.copies(), decoder.nodes(), decoder.virtualNodes(), decoder.rowCapacity(),
            decoder.repairDelayMs(), modes[decoder.mode()], new Consistency(decoder.slots(), decoder.staleness()),
            decodeFunctions(decoder.functions()), new JobSpec.Limits(decoder.rowBytes(), decoder.pushRate()));
    }

    private static List<String> decodeFunctions(final String text)
    {
        return text.isEmpty() ? List.of() : List.of(text.split(" "));
    }

    private ClusterMap decodeBody()
    {
        final long version = decoder.version();
        final long clusterId = decoder.clusterId();
        final List<ClusterMap.Job> jobs = new ArrayList<>();
        for (final MapDecoder.JobsDecoder job : decoder.jobs())
        {
            jobs.add(new ClusterMap.Job(
                job.jobId(), job.name().text(), job.firstPartition(), decodeJob(job.spec())));
        }
        final List<Integer> deleted = new ArrayList<>();
        decoder.deletedJobs().forEach((job) -> deleted.add(job.deletedId()));
        final List<Chain> chains = new ArrayList<>();
        final List<List<Integer>> assignment = new ArrayList<>();
        for (final MapDecoder.ChainsDecoder chain : decoder.chains())
        {
            final long epoch = chain.epoch();
            final long chainVersion = chain.version();
            final int joiner = chain.joiner();
            final int wanted = chain.wanted();
            final int transferee = chain.transferee();
            final List<Integer> members = new ArrayList<>();
            for (final MapDecoder.ChainsDecoder.MembersDecoder member : chain.members())
            {
                members.add(member.nodeId());
            }
            final List<Integer> assigned = new ArrayList<>();
            for (final MapDecoder.ChainsDecoder.AssignmentDecoder node : chain.assignment())
            {
                assigned.add(node.nodeId());
            }
            final List<Integer> stale = new ArrayList<>();
            chain.staleReplicas().forEach((node) -> stale.add(node.nodeId()));
            final List<Integer> required = new ArrayList<>();
            chain.requiredReplicas().forEach((node) -> required.add(node.nodeId()));
            chains.add(new Chain(epoch, chainVersion, members, joiner, wanted, transferee, stale, required));
            assignment.add(assigned);
        }
        final List<Long> incarnations = new ArrayList<>();
        final List<String> endpoints = new ArrayList<>();
        for (final MapDecoder.NodesDecoder node : decoder.nodes())
        {
            incarnations.add(node.incarnation());
            if (node.endpointLength() < 0 || node.endpointLength() > MAX_ENDPOINT_LENGTH)
            {
                throw new IllegalArgumentException("invalid endpoint length=" + node.endpointLength() +
                    " in a map: must be from 0 to " + MAX_ENDPOINT_LENGTH);
            }
            endpoints.add(node.endpoint());
        }

        return new ClusterMap(
            jobs, deleted, endpoints, assignment, new ChainMap(version, incarnations, chains), clusterId);
    }
}
