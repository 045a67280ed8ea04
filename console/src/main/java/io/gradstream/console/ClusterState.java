// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.util.Comparator;
import java.util.List;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import com.google.gson.annotations.SerializedName;

/**
 * The cluster at one moment, as coordinators, the counters of its servers and its primaries show it. The components of
 * the records are the fields of the JSON that {@code status} prints and the page reads.
 *
 * @param timeMs            when, ms since 1970 UTC.
 * @param leader            coordinator that leads.
 * @param leaderEndpoint    host:port of that coordinator.
 * @param coordinators      number of coordinators.
 * @param term              of the leadership; grows with each election.
 * @param mapVersion        of the newest map.
 * @param failovers         processes that lost a leadership to another since the coordinator's first start.
 * @param spuriousFailovers those of them that turned out to be alive.
 * @param job               that is defined, or null.
 * @param placed            true if servers have their places.
 * @param nodes             servers that have registered.
 * @param partitions        by number; none without a job.
 * @param stragglers        slots for which others wait; null if the job is not bounded, or no primary has answered.
 * @param tables            by id, the system's own first; null if primaries were not asked for them.
 * @param slots             by number; null if primaries were not asked for them.
 * @param undescribed       partitions whose primary did not answer; null if primaries were not asked at all.
 * @param work              how far the work that slots share is, and who holds which slot.
 */
public record ClusterState(
    long timeMs,
    int leader,
    String leaderEndpoint,
    int coordinators,
    long term,
    long mapVersion,
    long failovers,
    long spuriousFailovers,
    Job job,
    boolean placed,
    List<Node> nodes,
    List<Partition> partitions,
    Stragglers stragglers,
    List<Table> tables,
    List<Slot> slots,
    List<Integer> undescribed,
    Work work)
{
    /** No number is known, or there is no node. */
    public static final long UNKNOWN = -1;

    private static final JsonSerializer<Double> FINITE =
        (value, type, context) -> Double.isFinite(value) ? new JsonPrimitive(value) : JsonNull.INSTANCE;
    private static final Gson GSON = new GsonBuilder().serializeNulls().disableHtmlEscaping()
        .registerTypeAdapter(Double.class, FINITE).registerTypeAdapter(double.class, FINITE).create();

    /**
     * A job.
     *
     * @param name          by which users know it.
     * @param partitions    of its keys.
     * @param copies        of each partition that it should have.
     * @param nodes         servers on which they are placed.
     * @param virtualNodes  of each server on the ring.
     * @param rowCapacity   rows that a table may have in a partition.
     * @param repairDelayMs time after which the places of a lost server are given to others.
     * @param mode          of recovery.
     * @param slots         that others wait for; 0 if none.
     * @param staleness     bound in iterations, or the word unbounded.
     * @param bounded       true if slots wait for each other.
     * @param maxRowBytes   most bytes of rows and their state, 0 for no limit.
     * @param pushRate      most bytes of pushes a second that a server takes, 0 for no limit.
     */
    public record Job(
        String name,
        int partitions,
        int copies,
        int nodes,
        int virtualNodes,
        long rowCapacity,
        long repairDelayMs,
        String mode,
        int slots,
        String staleness,
        boolean bounded,
        long maxRowBytes,
        long pushRate)
    {
    }

    /**
     * A server.
     *
     * @param id          its number.
     * @param endpoint    host:port where it takes requests.
     * @param incarnation of its process, ns since 1970 UTC at its start.
     * @param started     the same as text, to the second.
     * @param heardMs     since it was heard last, {@link #UNKNOWN} if never.
     * @param silent      true if it has not been heard for too long, or its process is gone.
     * @param places      partitions that belong on it.
     * @param heads       partitions that it serves by the newest map.
     * @param draining    true if its places move to other servers.
     * @param kept        partitions in which it has a place or a role, or for which its log is needed.
     */
    public record Node(
        int id,
        String endpoint,
        long incarnation,
        String started,
        long heardMs,
        boolean silent,
        int places,
        int heads,
        boolean draining,
        int kept)
    {
    }

    /**
     * A partition.
     *
     * @param id                its number.
     * @param epoch             of its leadership.
     * @param version           of its chain.
     * @param chain             servers in sync, head first.
     * @param joiner            server that is being brought up, {@link #UNKNOWN} if none.
     * @param wanted            copies that it should have.
     * @param requiredReplicas  servers that have to show their logs before it is served again.
     * @param staleReplicas     servers whose copies may lack what was acknowledged.
     * @param assignment        servers on which its copies belong.
     * @param degraded          true if fewer copies are in sync than it should have.
     * @param served            true if it has a head that is heard and, as far as known, answers.
     * @param replicas          of the chain, head first, then of the joiner.
     * @param logBytesPerSecond bytes by which its log grows in a second; NaN if unknown.
     */
    public record Partition(
        int id,
        long epoch,
        long version,
        List<Integer> chain,
        int joiner,
        int wanted,
        List<Integer> requiredReplicas,
        List<Integer> staleReplicas,
        List<Integer> assignment,
        boolean degraded,
        boolean served,
        List<Replica> replicas,
        double logBytesPerSecond)
    {
        /** The replica that takes the pushes, or null if there is none. */
        public Replica head()
        {
            return chain.isEmpty() ? null : replicas.get(0);
        }
    }

    /** The role of a replica in its chain. */
    public enum Role
    {
        /** It takes the pushes. */
        @SerializedName("head") HEAD,
        /** It is in sync. */
        @SerializedName("standby") STANDBY,
        /** It is being brought up. */
        @SerializedName("joiner") JOINER
    }

    /**
     * A copy of a partition. Positions are bytes of its log, {@link #UNKNOWN} if it has not said any.
     *
     * @param node       that has it.
     * @param role       by the newest map.
     * @param state       its recovery state, empty if its counters cannot be read.
     * @param epoch      of the newest record applied, {@link #UNKNOWN} if its counters cannot be read.
     * @param applied    end of what it has applied.
     * @param replicated end of what it and those after it have applied.
     * @param recorded   end of what it and those after it have recorded.
     * @param lag        bytes that it is behind the head, {@link #UNKNOWN} if either has not said.
     */
    public record Replica(
        int node, Role role, String state, long epoch, long applied, long replicated, long recorded, long lag)
    {
    }

    /**
     * The slots that have ended the fewest iterations, while a pull waits for them or another slot is further ahead
     * than the staleness bound lets it read.
     *
     * @param slots      their numbers; empty if nobody waits.
     * @param notBegun   how many of them no process ever held.
     * @param pullWaitMs how long the oldest pull has waited, 0 if none does.
     * @param slowest    iterations that the last of the slots have ended which have not finished; null if all have.
     * @param fastest    iterations that the first of them have.
     */
    public record Stragglers(List<Integer> slots, int notBegun, long pullWaitMs, Long slowest, Long fastest)
    {
    }

    /**
     * A table.
     *
     * @param id            its number, negative for one of the system's own.
     * @param name          its name.
     * @param system        true if it is the system's own.
     * @param elementType   of its values.
     * @param dim           values in a row.
     * @param rows          of a dense table; 0 if it is sparse.
     * @param rowsPresent   that are kept, at all partitions that answered.
     * @param rowsNotFinite of these, rows with an infinity or NaN.
     * @param partitions    that have the table, among those that answered.
     * @param function      that updates it.
     */
    public record Table(
        int id,
        String name,
        boolean system,
        String elementType,
        int dim,
        long rows,
        long rowsPresent,
        long rowsNotFinite,
        int partitions,
        String function)
    {
    }

    /**
     * A slot of which a part was ever taken.
     *
     * @param id            its number.
     * @param incarnation   newest process of which a part was taken.
     * @param clock         iterations that are finished at each partition that answered, Long.MAX_VALUE if the slot
     *                      has finished.
     * @param ended         the same with those that are held until all slots end them.
     * @param parts         that are applied, at all partitions that answered.
     * @param lastSequences that are applied, by partition.
     */
    public record Slot(int id, long incarnation, long clock, long ended, long parts, List<Long> lastSequences)
    {
    }

    /**
     * The work that the coordinators give to slots, and the slots, as they know them.
     *
     * @param id             number of the newest work, 0 if there was none.
     * @param batches        of all its passes.
     * @param batchesDone    by all slots.
     * @param batchesDropped that slots have left undone and no other one does.
     * @param batchesLeftOut of which partitions may lack parts.
     * @param unitsReissued  units, and parts of them, that were given again.
     * @param slotsAdopted   how often the work of a slot was taken away from its process.
     * @param leases         slots for which a process was ever heard, in order.
     */
    public record Work(
        long id,
        long batches,
        long batchesDone,
        long batchesDropped,
        long batchesLeftOut,
        long unitsReissued,
        long slotsAdopted,
        List<Lease> leases)
    {
        /** No work, and no slots. */
        public static final Work NONE = new Work(0, 0, 0, 0, 0, 0, 0, List.of());

        /** The number of slots whose process has not left, and was heard of late. */
        public long held()
        {
            return leases.stream().filter(Lease::held).count();
        }
    }

    /**
     * A slot and the process in it, as the coordinators know them.
     *
     * @param slot        its number.
     * @param held        true if its process has not left, and was heard of late.
     * @param incarnation newest process that was heard in it.
     * @param heardMs     since that process was last heard.
     * @param openBatches that the slot was given and has not done.
     */
    public record Lease(int slot, boolean held, long incarnation, long heardMs, int openBatches)
    {
    }

    /** The values that a history keeps as curves. The rate is NaN if that of no partition is known. */
    record Load(long timeMs, long served, double logBytesPerSecond, long maxLag)
    {
    }

    /** The same state with what primaries answered. */
    public ClusterState with(
        final Stragglers newStragglers,
        final List<Table> newTables,
        final List<Slot> newSlots,
        final List<Integer> newUndescribed)
    {
        return new ClusterState(timeMs, leader, leaderEndpoint, coordinators, term, mapVersion, failovers,
            spuriousFailovers, job, placed, nodes, partitions, newStragglers, newTables, newSlots, newUndescribed,
            work);
    }

    /** Partitions that nobody serves. */
    public long notServed()
    {
        return partitions.stream().filter((partition) -> !partition.served()).count();
    }

    /** Partitions with fewer copies in sync than they should have. */
    public long degraded()
    {
        return partitions.stream().filter(Partition::degraded).count();
    }

    /** This state as one JSON object, in one line. A number that is not finite is null. */
    public String json()
    {
        final JsonObject json = tree(partitions.size());
        if (null != job && job.bounded)
        {
            // the names before there was a ClusterState
            final boolean isKnown = null != stragglers;
            json.add("heldBackBy", GSON.toJsonTree(isKnown ? stragglers.slots : null));
            json.addProperty("heldBackForMs", isKnown ? stragglers.pullWaitMs : null);
            json.addProperty("slowestClock", isKnown ? stragglers.slowest : null);
            json.addProperty("fastestClock", isKnown ? stragglers.fastest : null);
        }

        return GSON.toJson(json);
    }

    /** This state as a tree of JSON with so many partitions at most; those that need attention come first. */
    JsonObject tree(final int maxPartitions)
    {
        final List<Partition> shown = partitions.size() <= maxPartitions ? partitions : partitions.stream()
            .sorted(Comparator.comparing(Partition::served)
                .thenComparing((partition) -> !partition.degraded).thenComparing(Partition::id))
            .limit(maxPartitions)
            .sorted(Comparator.comparing(Partition::id))
            .toList();
        final JsonObject json = GSON.toJsonTree(this).getAsJsonObject();
        json.add("partitions", GSON.toJsonTree(shown));
        json.addProperty("notServed", notServed());
        json.addProperty("degraded", degraded());

        return json;
    }

    Load load()
    {
        return new Load(timeMs, partitions.size() - notServed(),
            partitions.stream().mapToDouble(Partition::logBytesPerSecond).filter(Double::isFinite)
                .reduce(Double::sum).orElse(Double.NaN),
            partitions.stream().flatMap((partition) -> partition.replicas.stream())
                .filter((replica) -> Role.STANDBY == replica.role).mapToLong(Replica::lag)
                .reduce(0, Math::max));
    }
}
